// Package validator stands for what generated code asks whether a value is valid. What is read is
// an answer of the service, which is checked elsewhere; and nothing has to be downloaded.
package validator

// Validate takes everything.
func Validate(any) error { return nil }

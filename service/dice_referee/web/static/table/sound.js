// The sound of an event, with the phone's vibration. It consists of a few tones. It is off by default, and for readers
// who prefer less motion.

import { allowsMotion } from "../games/mood.js";
import { Preference } from "../shared/storage.js";

/** Frequencies of tones in hertz, a tenth of a second apart. */
const TONES = {
  turn: [660, 880], best: [523, 659, 784, 1047], won: [523, 659, 784, 1047, 784, 1047], bad: [220, 165, 110], dice: [],
};
/** Milliseconds of vibration and pause, alternating. */
const SHAKES = { turn: [60], bad: [40, 40, 160], won: [60, 40, 60, 40, 200] };
const APART = 0.1;
const RATTLES = 5;

export class Sound extends Preference {
  constructor() {
    super("sound");
  }

  toggle() {
    super.toggle();
    this.play("turn");
  }

  /** Plays an entry of `TONES`. Browsers permit sounds after the first interaction with the page. */
  play(mood) {
    if (!this.on || !mood || !allowsMotion() || !navigator.userActivation?.hasBeenActive) return;
    this.context ??= new AudioContext();
    if (mood === "dice") this.rattle();
    TONES[mood].forEach((frequency, at) => this.tone(frequency, this.context.currentTime + at * APART));
    if (SHAKES[mood]) navigator.vibrate?.(SHAKES[mood]);
  }

  tone(frequency, at) {
    const wave = new OscillatorNode(this.context, { type: "triangle", frequency });
    wave.connect(this.fading(at, 0.16, 0.3));
    wave.start(at);
    wave.stop(at + 0.3);
  }

  /** Imitates dice on wood by short bursts of noise. */
  rattle() {
    const { context } = this;
    const noise = new AudioBuffer({ length: 2000, sampleRate: context.sampleRate });
    noise.getChannelData(0).forEach((_, at, samples) => (samples[at] = Math.random() * 2 - 1));
    for (let at = 0; at < RATTLES; at += 1) {
      const burst = new AudioBufferSourceNode(context, { buffer: noise });
      const wood = new BiquadFilterNode(context, { type: "bandpass", frequency: 1200 + at * 260, Q: 3 });
      const start = context.currentTime + at * 0.07;
      burst.connect(wood).connect(this.fading(start, 0.35, 0.05));
      burst.start(start);
    }
  }

  /** Creates a gain that starts at `loud` and fades within these seconds. */
  fading(at, loud, seconds) {
    const gain = new GainNode(this.context, { gain: 0 });
    gain.gain.setValueAtTime(loud, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    gain.connect(this.context.destination);
    return gain;
  }
}

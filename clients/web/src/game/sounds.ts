/** Sounds that are made by script, so that no file has to be loaded: wooden knocks, and bells. */
import { settings } from '../app/settings.js';

export type Sound = 'move' | 'capture' | 'check' | 'end' | 'low-time' | 'start';

/** The start of a part in seconds, its pitch in hertz, and its loudness. */
type Part = readonly [kind: 'knock' | 'bell', start: number, pitch: number, loudness: number];

const PARTS: Record<Sound, readonly Part[]> = {
  move: [['knock', 0, 950, 1]],
  capture: [['knock', 0, 750, 1.2], ['knock', 0.055, 1400, 0.8]],
  check: [['knock', 0, 950, 1], ['bell', 0.03, 880, 0.35], ['bell', 0.13, 1175, 0.35]],
  end: [['bell', 0, 523, 0.5], ['bell', 0.14, 659, 0.5], ['bell', 0.28, 784, 0.5]],
  'low-time': [0, 0.14, 0.28].map((start) => ['knock', start, 2200, 0.7] as const),
  start: [['knock', 0, 950, 0.8], ['bell', 0.06, 587, 0.35], ['bell', 0.18, 784, 0.35]],
};

const KNOCK_SECONDS = 0.09;
const BELL_SECONDS = 0.9;
const GESTURES = ['pointerup', 'keydown'] as const;

let context: AudioContext | undefined;
let noise: AudioBuffer | undefined;

/** Browsers allow sounds from the user's first press on. */
if (typeof document !== 'undefined') {
  const start = (): void => {
    try {
      context ??= new AudioContext();
    } catch {
      return; // a computer without sound
    }
    void context.resume().then(() => GESTURES.forEach((name) => removeEventListener(name, start, true)));
  };
  GESTURES.forEach((name) => addEventListener(name, start, true));
}

/** Plays a sound as loud as the user wants it. */
export function play(sound: Sound): void {
  const volume = settings().volume / 100;
  if (!context || volume === 0) {
    return;
  }
  void context.resume(); // phones suspend it
  const out = context.createGain();
  out.gain.value = volume ** 2; // loudness is heard on a logarithmic scale
  out.connect(context.destination);
  for (const [kind, start, pitch, loudness] of PARTS[sound]) {
    (kind === 'knock' ? knock : bell)(context, out, context.currentTime + start, pitch, loudness);
  }
}

/** Wood on wood: a short noise around a pitch, with a low tone below it. */
function knock(audio: AudioContext, out: AudioNode, at: number, pitch: number, loudness: number): void {
  const source = audio.createBufferSource();
  source.buffer = noise ??= noiseOf(audio);
  const filter = audio.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  filter.Q.value = 1.4;
  source.connect(filter).connect(fading(audio, out, at, KNOCK_SECONDS / 2, 1.6 * loudness));
  source.start(at);
  source.stop(at + KNOCK_SECONDS);
  tone(audio, fading(audio, out, at, KNOCK_SECONDS, 0.6 * loudness), at, pitch / 5, KNOCK_SECONDS);
}

/** A tone with two overtones, which fade sooner. */
function bell(audio: AudioContext, out: AudioNode, at: number, pitch: number, loudness: number): void {
  [1, 2.76, 5.4].forEach((ratio, i) => {
    const length = BELL_SECONDS / (i + 1);
    tone(audio, fading(audio, out, at, length, (0.4 * loudness) / 3 ** i), at, pitch * ratio, length);
  });
}

function tone(audio: AudioContext, out: AudioNode, at: number, frequency: number, length: number): void {
  const oscillator = audio.createOscillator();
  oscillator.frequency.value = frequency;
  oscillator.connect(out);
  oscillator.start(at);
  oscillator.stop(at + length);
}

function fading(audio: AudioContext, out: AudioNode, at: number, length: number, loudness: number): AudioNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.002);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  gain.connect(out);
  return gain;
}

function noiseOf(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate * KNOCK_SECONDS, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) {
    samples[i] = Math.random() * 2 - 1;
  }
  return buffer;
}

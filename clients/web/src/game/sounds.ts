/** Short tones that are made by script, so that no file has to be loaded. */

export type Sound = 'move' | 'capture' | 'check' | 'end' | 'low-time' | 'start';

/** A tone: frequency in hertz, start and length in seconds. */
type Tone = readonly [frequency: number, start: number, length: number];

const TONES: Record<Sound, readonly Tone[]> = {
  move: [[330, 0, 0.06]],
  capture: [[330, 0, 0.05], [220, 0.05, 0.08]],
  check: [[523, 0, 0.07], [659, 0.07, 0.09]],
  end: [[392, 0, 0.12], [330, 0.13, 0.12], [262, 0.26, 0.28]],
  'low-time': [[880, 0, 0.06], [880, 0.12, 0.06]],
  start: [[262, 0, 0.1], [392, 0.11, 0.16]],
};

const VOLUME = 0.12;
let context: AudioContext | undefined;

/** Plays a sound; browsers allow it once the user has touched the page. */
export function play(sound: Sound): void {
  try {
    context ??= new AudioContext();
  } catch {
    return; // A computer without sound.
  }
  void context.resume();
  for (const tone of TONES[sound]) {
    schedule(context, tone);
  }
}

function schedule(audio: AudioContext, [frequency, start, length]: Tone): void {
  const begin = audio.currentTime + start;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = 'triangle';
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(VOLUME, begin + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(begin);
  oscillator.stop(begin + length + 0.02);
}

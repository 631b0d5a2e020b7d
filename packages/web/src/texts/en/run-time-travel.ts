import { count } from '../count.js';

export const timeTravel = {
  open: 'Go through the events of this run',
  label: 'Time travel',
  slider: 'Event of the run',
  position: (at: number, last: number) => `Event ${at.toLocaleString('en')} of ${last.toLocaleString('en')}`,
  valueText: (at: number, last: number, sentence: string) => `${at} of ${last}: ${sentence}`,
  now: 'Back to now',
  previous: 'Previous event',
  next: 'Next event',
  play: 'Play',
  pause: 'Pause',
  after: (duration: string) => `${duration} after the start`,
  variables: (changes: number) =>
    changes === 0 ? 'Variables at this moment' : `Variables at this moment: ${count(changes, 'change', 'changes')}`,
  changed: 'changed',
  added: 'new',
  removed: (names: string) => `Gone: ${names}`,
  unknown: 'What the variables were is not known any more.',
  gap: (seq: number) => `Not all of it is known since event ${seq}`,
  loading: 'Loading this moment …',
  failed: 'This moment could not be loaded: what is shown is another one',
} as const;

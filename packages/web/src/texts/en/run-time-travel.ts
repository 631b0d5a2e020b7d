import { formatCount } from '@countersign/inbox-ui/texts/format-count';

export const timeTravel = {
  open: 'Step through events',
  label: 'Time travel',
  slider: 'Event of the run',
  position: (at: number, last: number) => `Event ${at.toLocaleString('en')} of ${last.toLocaleString('en')}`,
  valueText: (at: number, last: number, sentence: string) => `${at} of ${last}: ${sentence}`,
  now: 'Back to now',
  previous: 'Previous event',
  next: 'Next event',
  play: 'Play',
  pause: 'Pause',
  after: (duration: string) => `${duration} after start`,
  variables: (changes: number) =>
    changes === 0
      ? 'Variables at this moment'
      : `Variables at this moment: ${formatCount(changes, 'change', 'changes')}`,
  changed: 'changed',
  added: 'new',
  removed: (names: string) => `Removed: ${names}`,
  unknown: 'The variables at this moment are no longer available.',
  gap: (seq: number) => `Incomplete since event ${seq}`,
  loading: 'Loading this moment…',
  failed: 'The run at this moment could not be loaded. Another moment is shown.',
} as const;

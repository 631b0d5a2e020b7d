/** Out of office. */
export const absence = {
  title: 'Out of office',
  hint: 'While you are away, a substitute can decide on the approvals that are waiting for you. You can still decide yourself: you and the substitute share one vote.',
  from: 'Away from',
  fromHint: 'Leave empty to start now.',
  until: 'Away until',
  substitute: 'Substitute',
  substituteHint:
    'Type a name to choose from the people who have signed in. If you leave this empty, others only see that you are away.',
  save: 'Save',
  back: 'I am back',
  endNow: 'End now',
  notAway: 'Cancel absence',
  youAreAway: 'You are away until',
  inYourPlace: (name: string) => `${name} decides for you.`,
  nobody: 'No one decides for you.',
  isAway: (name: string) => `${name} is away until`,
  inTheirPlace: (name: string) => `${name} decides for them.`,
} as const;

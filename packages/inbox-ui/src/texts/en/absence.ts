/** Out of office. */
export const absence = {
  title: 'Out of office',
  hint: 'While you are away, a substitute may decide approvals that name you. You may still decide yourself; together, you have one vote.',
  from: 'Absent from',
  fromHint: 'If empty: from now on.',
  until: 'Absent until',
  substitute: 'Substitute',
  substituteHint: 'Their sign-in name. If empty, others see that you are away, and nothing else changes.',
  save: 'Save',
  back: 'I am back',
  endNow: 'End now',
  notAway: 'Cancel the absence',
  youAreAway: 'You are away until',
  inYourPlace: (name: string) => `${name} decides for you.`,
  nobody: 'No one decides for you.',
  isAway: (name: string) => `${name} is away until`,
  inTheirPlace: (name: string) => `${name} decides for them.`,
} as const;

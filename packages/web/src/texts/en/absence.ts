/** Out of office. */
export const absence = {
  title: 'Out of office',
  hint: 'While you are away, somebody else may decide what asks you by name. You may still decide as well: it is one vote, whoever casts it.',
  from: 'Away from',
  fromHint: 'Left empty: from now on.',
  until: 'Away until',
  substitute: 'Who decides in your place',
  substituteHint:
    'The name that they sign in with. Left empty: others see that you are away, and nothing else changes.',
  save: 'Save',
  back: 'I am back',
  endNow: 'End now',
  notAway: 'I will not be away',
  youAreAway: 'You are away until',
  inYourPlace: (name: string) => `${name} decides in your place.`,
  nobody: 'Nobody decides in your place.',
  isAway: (name: string) => `${name} is away until`,
  inTheirPlace: (name: string) => `${name} decides in their place.`,
} as const;

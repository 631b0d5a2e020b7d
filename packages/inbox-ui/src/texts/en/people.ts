/** Choice of users and groups. */
export const people = {
  users: 'Users',
  groups: 'Groups',
  remove: (name: string) => `Remove ${name}`,
  mayNotDecide: 'Cannot decide',
  hasNoVote: 'Has no vote here',
  deciders: (n: number) => (n === 1 ? '1 person can decide' : `${n} people can decide`),
  hasMore: 'There are more. Type more of the name.',
  unknownTitle: 'Not known here',
  unknownUsers: 'Nobody has signed in as',
  unknownGroups: 'Nobody who has signed in is in',
  unknownHint: 'Check the spelling, or choose from the list.',
  confirmUnknown: 'Use anyway',
} as const;

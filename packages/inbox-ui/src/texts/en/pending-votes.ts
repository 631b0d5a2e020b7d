export const pendingVotes = {
  label: 'Your decisions',
  actions: { undo: 'Undo', retry: 'Retry', dismiss: 'Close', dismissLost: 'Dismiss' },
  more: (count: number) => `${count} more`,
  vote: (action: string, title: string) => `${action} “${title}”:`,
  undoable: (seconds: number) => `sending in ${seconds} s`,
  sending: 'sending…',
  signing: 'confirm it in the signing dialog.',
  unconfirmed: (action: string, title: string) =>
    `${action} “${title}”: no response. The vote may or may not have been counted. Choose “Retry” to find out; it is never counted twice.`,
  tooOld: (action: string, title: string) =>
    `${action} “${title}”: no response, and it is too late to retry. Open the approval to see whether the vote was counted.`,
  refused: (action: string, title: string, why: string) => `${action} “${title}” was not counted. ${why}`,
  changed: (action: string, title: string, why: string) =>
    `${action} “${title}” was not counted. ${why} Review the approval again.`,
  review: 'Review',
  counted: (action: string, title: string) => `${action} “${title}”: counted.`,
  argumentsChanged: (title: string) =>
    `The arguments of “${title}” were changed; your proposal is now waiting for approval.`,
  inProgress: {
    approve: 'Approving',
    edit: 'Changing the arguments of',
    reject: 'Rejecting',
    request_changes: 'Requesting changes for',
  },
} as const;

export const leaveWithVotes = {
  title: 'Decisions are being sent',
  waiting: (count: number) =>
    count === 1
      ? 'One decision has not been sent yet. If you leave now, it is discarded.'
      : `${count} decisions have not been sent yet. If you leave now, they are discarded.`,
  sending: (count: number) =>
    count === 1
      ? 'One decision was sent and has no response yet. If you leave now, you will not see the response.'
      : `${count} decisions were sent and have no response yet. If you leave now, you will not see the responses.`,
  done: 'All decisions have been sent.',
  stay: 'Stay',
  leave: 'Leave',
  discard: 'Discard and leave',
  discarded: (count: number) =>
    count === 1
      ? 'One decision was not sent because the session ended.'
      : `${count} decisions were not sent because the session ended.`,
} as const;

export const firstSteps = {
  title: 'First steps',
  cardTitle: 'Start here',
  cardText: 'Start an example, decide on it as its approver, and see the evidence that remains. It takes four clicks.',
  start: 'Start',
  startExample: (name: string) => `Start the example ${name}`,
  step: (number: number, count: number) => `Step ${number} of ${count}.`,
  texts: {
    working: 'The run is working. The diagram shows where it is.',
    waiting: 'The run is waiting. Its page says what for.',
    failed: 'A step of the run has failed. Its page says why, and what can be done.',
    otherPerson: 'The run waits for an approval. Another person must decide: whoever starts a run can’t approve it.',
    decide: 'Read what would happen, then approve it, reject it or request changes.',
    voted: 'Your decision is sent in a few seconds. Until then, you can undo it.',
  },
  ended: {
    completed: 'The run has completed. The evidence shows who decided what, and whether it was changed afterwards.',
    rejected:
      'The run ended because it was rejected. The evidence shows who decided what, and whether it was changed afterwards.',
    cancelled: 'The run was cancelled. The evidence shows who did what, and whether it was changed afterwards.',
    failed: 'The run has failed. The evidence shows what happened, and whether it was changed afterwards.',
  },
  openApproval: 'Open the approval',
  findApprover: 'See who can decide',
  showRun: 'Show the run',
  showEvidence: 'Show the evidence',
  done: 'Done',
  close: 'Close the first steps',
} as const;

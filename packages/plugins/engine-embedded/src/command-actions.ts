/** Every command that the engine writes, by its name in the audit trail. Tests of recovery derive their failpoints from it. */
export const COMMAND_ACTIONS = Object.freeze([
  'workflow.deploy',
  'decision.deploy',
  'run.start',
  'run.cancel',
  'run.recover',
  'run.migrate',
  'personal_data.erase',
  'approval.vote',
  'approval.delegate',
  'approval.reassign',
  'question.answer',
  'artifact.upload',
  'job.complete',
  'job.fail',
  'job.error',
  'agent.turn',
  'agent.call',
  'agent.repropose',
  'agent.lose',
  'message.correlate',
  'signal.receive',
  'signal.broadcast',
  'child.report',
  'timer.fire',
] as const);

export type CommandAction = (typeof COMMAND_ACTIONS)[number];

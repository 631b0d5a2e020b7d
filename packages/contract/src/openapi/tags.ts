/** What each tag of the document is about, in the order in which a reader needs them. */
export const TAGS: Readonly<Record<string, string>> = Object.freeze({
  runs: 'Start, watch, cancel and recover runs of workflows.',
  approvals: 'What waits for a person, and deciding it. An approval holds for one digest of one subject.',
  conversation: 'Questions that agents ask people, and the answers.',
  agents: 'The agents, the tools that they may call, and what they did.',
  policy: 'What decides about steps and about the calls of agents, and what a draft of it would change.',
  workflows: 'The BPMN processes that can be run, and their versions.',
  decisions: 'The DMN decisions that business rule tasks evaluate, and their versions.',
  events: 'What happened: the history of a run, changes as they come, and the audit trail.',
  webhooks: 'Signed events from systems that have no token, and what became of them.',
  notifications: 'What workflows tell other systems, until it has arrived.',
  artifacts: 'Named payloads of a run, in versions that never change.',
  evidence: 'All about a run in one file, for those who trust neither the server nor its database.',
  settings: 'The configuration: look at it, change it, try it.',
  auth: 'Tokens, and who they are.',
  health: 'Probes, and what runs here.',
  meta: 'This description, and metrics.',
});

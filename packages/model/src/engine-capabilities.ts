/**
 * What an engine may be unable to do, with the words that error messages use. Every engine can do everything else: start
 * and cancel runs, recover them, plan these commands, decide approvals, ask questions and correlate messages.
 */
export const ENGINE_CAPABILITIES = Object.freeze({
  approval_comments: 'record comments on approvals',
  approval_delegation: 'delegate approvals',
  approval_reassignment: 'reassign approvals',
  call_edits: 'execute a tool call with arguments that an approver has edited',
  conditional_starts: 'evaluate conditional start events',
  dmn_decisions: 'deploy DMN decisions',
  event_redelivery: 'deliver recorded events again',
  migration: 'migrate runs to another version of their workflow',
  personal_data_erasure: 'erase personal data of runs',
  time_travel: 'compute past states of runs',
});

export type EngineCapability = keyof typeof ENGINE_CAPABILITIES;

export const ENGINE_CAPABILITY_NAMES = Object.freeze(Object.keys(ENGINE_CAPABILITIES) as EngineCapability[]);

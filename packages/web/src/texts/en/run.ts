import { formatCount } from '@countersign/inbox-ui/texts/format-count';

export const run = {
  title: 'Run',
  pageTitle: (workflow: string) => `${workflow} · Run`,
  notFound: 'Run not found',
  notFoundHint: 'The ID may be mistyped, or the run was deleted after its retention period.',
  parts: 'Parts of the run',
  tabs: {
    overview: 'Overview',
    approvals: 'Approvals',
    conversation: 'Conversation',
    artifacts: 'Artifacts',
    events: 'Events',
    variables: 'Variables',
    children: 'Child runs',
  },
  diagram: (workflow: string) => `Diagram of ${workflow}. The list of steps beside it has the same information.`,
  id: 'Run',
  copyId: 'Copy run ID',
  copied: 'Copied',
  workflow: 'Workflow',
  version: (version: number) => `Version ${version}`,
  isNewest: '(latest)',
  newestIs: (version: number) => `(latest: ${version})`,
  businessKey: 'Business key',
  started: 'Started',
  by: (person: string) => `by ${person}`,
  duration: 'Duration',
  calledBy: 'Called by',
  parent: 'the parent run',
  variables: 'Variables',
  inputs: 'Inputs',
  steps: {
    title: 'Steps',
    search: 'Find a step',
    filter: 'Filter steps',
    filters: { all: 'All', failed: 'Failed', waiting: 'Waiting' },
    none: 'No steps yet.',
    noneFound: 'No matching steps.',
    count: (n: number) => formatCount(n, 'step', 'steps'),
    attempt: (n: number) => `attempt ${n}`,
    show: 'Show steps',
    hide: 'Hide steps',
  },
  children: {
    status: 'Status',
    step: 'Current step',
    open: 'Open child run',
    several: (n: number) => `Show ${n} child runs`,
    none: 'No child runs',
    noneHint: 'Runs that call activities start appear here.',
  },
  plan: {
    nothing: 'Nothing would be stopped or compensated.',
    retry: 'Retried',
    stop: 'Stopped; later results have no effect',
    void: 'Withdrawn',
    compensate: 'Compensated, in this order',
    calledRuns: 'Child runs that are also cancelled',
    calledRun: (workflow: string, runId: string, undone: number) =>
      `${workflow} (${runId})${undone === 0 ? '' : `: ${formatCount(undone, 'step', 'steps')} compensated`}`,
    wait: (kind: string, name: string) => `${name} (${kind})`,
    waits: { approval: 'approval', question: 'question', event: 'event', timer: 'timer' },
    more: (n: number) => `and ${n} more`,
    notes: 'Notes',
  },
  cancel: {
    open: 'Cancel run…',
    title: 'Cancel run',
    confirm: 'Cancel run',
    reason: 'Reason',
    reasonHint: 'The run stays in the history.',
    planned: 'Planned.',
    done: 'The run was cancelled.',
  },
  recover: {
    title: 'Recover run',
    confirm: 'Recover run',
    steps: 'Failed steps to retry',
    noStep: 'Select at least one step.',
    variables: 'Variables to set first',
    variablesExample: '{ "amount": 12 }',
    variablesHint: 'A JSON object. If empty, no variables are set.',
    comment: 'Comment',
    notAnObject: 'This is not a JSON object: it must start with { and end with }.',
    notJson: ({
      line,
      column,
      inexact,
    }: {
      readonly line: number;
      readonly column: number;
      readonly inexact?: true;
    }) =>
      inexact
        ? `The number on line ${line}, column ${column} can’t be stored exactly. Put it in quotation marks.`
        : `Invalid JSON: see line ${line}, column ${column}.`,
    done: 'The run continues.',
  },
  migrate: {
    open: (version: number) => `Move to version ${version}…`,
    title: (version: number) => `Move run to version ${version}`,
    confirm: 'Move run',
    fromTo: (from: number, to: number, moves: number) =>
      `From version ${from} to version ${to}; ${formatCount(moves, 'active element moves', 'active elements move')} with it.`,
    refused: 'The run can’t be moved',
    moves: 'Moved to another element',
    move: (from: string, to: string) => `${from} → ${to}`,
    opened: 'New waits',
    closed: 'Ended waits',
    restarted: 'Jobs offered again',
    renewedApprovals: 'Approvals withdrawn and requested again',
    done: (version: number) => `The run is now on version ${version}.`,
  },
  evidence: {
    download: 'Download evidence',
    progress: (bytes: number) => `Downloading evidence: ${(bytes / 1_000_000).toFixed(1)} MB…`,
    failed: 'The evidence could not be downloaded',
  },
  noDiagram: 'This BPMN model has no diagram',
  noDiagramHint: 'Runs are executed without it. The list of steps shows the state of this run.',
  marks: {
    tokens: (n: number, status: string) => `${formatCount(n, 'step', 'steps')} ${status}`,
    undone: 'compensation',
    undoneHint: (times: number) => `Compensated ${formatCount(times, 'time', 'times')}`,
    loopInstances: (done: number, all: number) => `${done} of ${all}`,
    loopInstancesHint: (done: number, all: number) =>
      `${done} of ${formatCount(all, 'loop instance', 'loop instances')} started so far ${done === 1 ? 'is' : 'are'} done`,
    entered: (times: number) => `Entered ${formatCount(times, 'time', 'times')}`,
    tookOnce: (last: string) => `Took ${last}`,
    took: (last: string, total: string, times: number) => `Last: ${last}; total: ${total} (${times} executions)`,
  },
  why: {
    label: 'Current state',
    completed: (after: string) => `Completed in ${after}.`,
    cancelled: (by: string) => `Cancelled${by}.`,
    cancelling: (by: string) => `Being cancelled${by}: completed steps are being compensated.`,
    cancelledBy: (by: string | null, reason: string | null) =>
      `${by === null ? '' : ` by ${by}`}${reason === null ? '' : `: “${removeFinalPeriod(reason)}”`}`,
    rejected: (by: string, title: string, comment: string | null) =>
      `${by} rejected “${title}”${comment === null ? '' : `: “${removeFinalPeriod(comment)}”`}.`,
    childRejected: 'Rejected: an approval in a child run was rejected.',
    failed: (error: string | null) => `Failed${error === null ? '' : `: ${removeFinalPeriod(error)}`}.`,
    incident: (step: string, error: string | null) =>
      `${step} failed${error === null ? '' : `: ${removeFinalPeriod(error)}`}.`,
    aStep: 'A step',
    moreFailed: (n: number) => ` ${formatCount(n, 'other step', 'other steps')} failed as well.`,
    alsoWaits: (wait: string) => ` The run is also waiting for ${wait}.`,
    waits: 'The run is waiting.',
    waitsFor: (wait: string) => `Waiting for ${wait}`,
    and: (wait: string) => `, and for ${wait}`,
    both: (first: string, second: string) => `${first} and ${second}`,
    otherWaits: (n: number) => `${n} more events or decisions`,
    whileActive: '; other steps are in progress',
    approval: (title: string, approvers: string | null, quorum: string, due: string) =>
      `${approvers === null ? 'someone' : approvers} to decide on ${title}${quorum}${due}`,
    anyApprover: 'any approver',
    group: (name: string) => `the ${name} group`,
    oneOf: (names: string, more: number) => `one of ${names} and ${more} others`,
    quorum: (has: number, needs: number) => ` (${has} of ${needs} approvals)`,
    question: (step: string, agent: string | null, due: string) =>
      `an answer to ${agent === null ? 'the question' : `the question of ${agent}`} in ${step}${due}`,
    message: (name: string, key: string | null, step: string) =>
      `the message ${name}${key === null ? '' : ` for ${key}`} at ${step}`,
    signal: (name: string, step: string) => `the signal ${name} at ${step}`,
    condition: (step: string) => `the condition of ${step} to be met`,
    timer: (step: string, until: string) => `the timer of ${step}, ${until}`,
    child: (step: string, waitText: string | null) =>
      `the child run of ${step}${waitText === null ? '' : `, which is waiting for ${waitText}`}`,
    due: (until: string) => `, due ${until}`,
    late: (since: string) => `, ${since}`,
    in: (duration: string) => `in ${duration}`,
    overdue: (duration: string) => `overdue by ${duration}`,
    active: 'The next step is about to start.',
    works: (step: string, since: string) => `${step} has been in progress for ${since}`,
    agentWorks: (agent: string, step: string, since: string) => `${agent} has been working on ${step} for ${since}`,
    alsoActive: (n: number) => `; ${formatCount(n, 'other step is', 'other steps are')} in progress`,
    retried: (step: string, attempt: number, error: string) =>
      `Retrying ${step} (attempt ${attempt}) after a failure: ${removeFinalPeriod(error)}.`,
    stuck: (since: string) =>
      `No progress for ${since}, and the run is not waiting for anything: it may be stuck. Check that a worker handles its step.`,
    openApproval: 'Open approval',
    openNthApproval: (position: number) => `Open approval ${position}`,
    answer: 'Answer',
    showQuestion: 'Show question',
    send: 'How to send it',
    openRun: 'Open child run',
    showStep: 'Show step',
    recover: 'Recover run…',
    sendTitle: (name: string) => `How to send ${name}`,
    sendHint:
      'The message must come from a configured source and be signed with the secret of that source. See the settings of inbound events.',
    sendRequest: (address: string) => `POST ${address}`,
    sendAddress: 'To',
    sendBody: 'Body',
    toEvents: 'Inbound events',
  },
} as const;

/** Removes a final period, so that an embedded sentence does not end twice. */
function removeFinalPeriod(text: string): string {
  return text.replace(/[.\s]+$/, '');
}

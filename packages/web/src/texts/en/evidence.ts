import { formatCount } from '@countersign/inbox-ui/texts/format-count';

export const evidence = {
  label: 'Evidence of the run',
  loading: 'Loading the evidence…',
  received: (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`,
  activeRun: (event: number) =>
    `The run is in progress. This evidence covers its history up to now: event ${event}. Check again to include later events.`,
  checkAgain: 'Check again',
  tooLarge: 'This evidence is too large to check here',
  tooLargeHint: (size: string | undefined, limit: string) =>
    `${size === undefined ? `It is larger than ${limit}.` : `Its size is ${size}, and the limit is ${limit}.`} Download it, and check the file with the command below.`,
  unreadable: 'The evidence could not be read',
  unreadableHint:
    'It is not a valid JSON file, so nothing was checked. Download it, and give it to your administrator.',
  verdicts: {
    valid: 'Complete and unchanged',
    gaps: 'No problems found, but not everything could be checked',
    invalid: (problems: number) => `Not valid: ${formatCount(problems, 'problem', 'problems')} found`,
  },
  verdictHints: {
    valid:
      'This browser has just checked the evidence pack: the history of the run has no gaps, its entries match their hashes, and what was checked of the rest of the pack matches the history. What was not checked is listed below.',
    gaps: 'This browser has just checked the evidence pack. What it could not check is listed below.',
    invalid:
      'This browser has just checked the evidence pack. Parts of it were changed, are missing, or contradict each other, or it belongs to another run. Do not rely on it.',
  },
  problems: 'Problems',
  problemPlace: (pointer: string) => `at ${pointer}`,
  wholePack: 'in the whole pack',
  moreProblems: (n: number) => `${formatCount(n, 'more problem', 'more problems')}. The command below lists all.`,
  checked: 'What was checked',
  results: { passed: 'Passed', failed: 'Failed', incomplete: 'Not complete', absent: 'None' },
  parts: {
    history: 'History',
    people: 'People and texts',
    statements: 'Statements',
    documents: 'Documents',
    signatures: 'Signatures',
  },
  partHints: {
    history: (events: number, auditEvents: number) =>
      `Each entry contains the hash of the previous one, so a changed, removed or inserted entry is noticed. ${formatCount(events, 'event', 'events')} and ${formatCount(auditEvents, 'audit event', 'audit events')}.`,
    people: 'Names, comments and other private data must match the digests in the history.',
    statements:
      'Who decided what and when, questions and answers, artifacts, and the versions of the workflow must match the history.',
    documents: (approvals: number, models: number) =>
      `The BPMN models, and what was approved, unless it was erased, must match the digests in the history. ${formatCount(approvals, 'approval', 'approvals')} and ${formatCount(models, 'BPMN model', 'BPMN models')}.`,
    signatures: (verified: number, unchecked: number) =>
      verified + unchecked === 0
        ? 'No vote is signed.'
        : unchecked === 0
          ? `Signed votes, and the proofs of their keys, must be signed by their owners. ${formatCount(verified, 'signature', 'signatures')}.`
          : `This browser can’t verify ${formatCount(unchecked, 'signature', 'signatures')}. The command below can.`,
  },
  head: 'Head hash',
  copyHead: 'Copy head hash',
  headHint:
    'The head hash stands for the whole history. Keep a copy: a changed history has another hash for this event.',
  notChecked: 'What was not checked',
  gapEvents: (events: string, more: number) => `Events ${events}${more === 0 ? '' : ` and ${more} more`}`,
  uncheckedSignatures: (n: number) =>
    `${formatCount(n, 'signature', 'signatures')}: this browser can’t verify Ed25519 signatures, or the page was not loaded over HTTPS.`,
  neverChecked: [
    'Titles of approvals that are not part of what was approved: of tool calls, and of user tasks whose BPMN model defines no title.',
    'What remains of erased titles and questions: the history no longer contains the originals.',
    'Whether all refused attempts are listed, and when the evidence was generated. Each listed attempt was checked.',
    'The content of artifacts: the pack contains their digests. Compare the SHA-256 of the files.',
    'Outputs of steps, agent turns, variables, DMN files and definitions: their copies in the pack are not compared with the events.',
    'Whether the whole history was replaced: someone who controls the database can write another one. Compare the head hash with an earlier copy.',
    'This page itself: it comes from the server that it checks. For an independent result, check the file elsewhere.',
  ],
  elsewhere: 'Check it without this server',
  elsewhereHint:
    'Download the evidence, and run this command in the folder of the file. It needs Node.js, but not this server.',
  command: (runId: string) => `npx countersign verify evidence-${runId}.json`,
  copyCommand: 'Copy command',
  contents: 'Start and workflow',
  startedBy: 'Started by',
  workflow: 'Workflow',
  version: (id: string, version: number | null) => (version === null ? id : `${id}, version ${version}`),
  workflowDigest: 'BPMN model',
  copyWorkflowDigest: 'Copy digest of the BPMN model',
  deployedBy: 'Deployed by',
  generated: 'Generated',
  policy: 'Policy decisions',
  noPolicy: 'None recorded.',
  policyCount: (decision: string, n: number) => `${decision}: ${n}`,
  refusals: 'Refused attempts',
  votes: 'Decisions of people',
  noVotes: 'No votes are recorded.',
  voted: { approve: 'approved', reject: 'rejected', request_changes: 'asked for changes on' },
  round: (n: number) => `round ${n}`,
  signed: 'signed',
  unsigned: 'not signed',
  notCounted: 'does not count',
  copyVoteDigest: (title: string) => `Copy digest of ${title}`,
  answers: 'Answered questions',
  answeredBy: 'answered by',
  comments: 'Comments without a vote',
  commentBy: (author: string, title: string) => `${author} on ${title}`,
  artifacts: 'Artifacts',
  artifactVersion: (n: number) => `version ${n}`,
  copyArtifactDigest: (name: string) => `Copy digest of ${name}`,
  unknown: 'unknown or erased',
  more: (n: number) => `and ${n.toLocaleString('en')} more in the pack`,
} as const;

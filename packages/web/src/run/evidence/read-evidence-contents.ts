import { toNumber, toObject, toObjects, toText, toTime, type PackObject } from './pack-values.js';

/** `null`: unknown or erased. All texts are untrusted. */
export interface EvidenceContents {
  readonly generatedAt: string | null;
  readonly startedBy: string | null;
  readonly startedAt: string | null;
  readonly workflow: {
    readonly id: string | null;
    readonly version: number | null;
    readonly digest: string | null;
    readonly deployedBy: string | null;
  };
  /** Number of BPMN models, the current one and earlier ones. */
  readonly modelCount: number;
  readonly eventCount: number;
  readonly auditEventCount: number;
  readonly refusalCount: number;
  readonly headHash: string | null;
  readonly approvalCount: number;
  /** Oldest first. */
  readonly votes: readonly EvidenceVote[];
  /** Number of policy decisions in the events, by their effect. */
  readonly policyDecisions: ReadonlyMap<string, number>;
  readonly answers: readonly EvidenceAnswer[];
  /** Comments without a vote, oldest first. */
  readonly comments: readonly EvidenceComment[];
  readonly artifacts: readonly EvidenceArtifact[];
}

export interface EvidenceVote {
  readonly voter: string | null;
  readonly inPlaceOf: string | null;
  readonly decision: string | null;
  readonly title: string | null;
  readonly round: number | null;
  readonly at: string | null;
  /** Digest of the subject that the voter decided on. */
  readonly digest: string | null;
  readonly isSigned: boolean;
  readonly counts: boolean;
}

export interface EvidenceAnswer {
  readonly question: string | null;
  /** A text, or JSON. */
  readonly answer: string | null;
  readonly answeredBy: string | null;
  readonly at: string | null;
}

export interface EvidenceComment {
  readonly author: string | null;
  /** Title of the approval. */
  readonly title: string | null;
  readonly round: number | null;
  readonly text: string | null;
  readonly at: string | null;
}

export interface EvidenceArtifact {
  readonly name: string | null;
  readonly version: number | null;
  readonly size: number | null;
  readonly sha256: string | null;
}

/** Reads from a pack what the page shows. Accepts any JSON. */
export function readEvidenceContents(document: unknown): EvidenceContents {
  const pack = toObject(document);
  const [run, workflow, chain] = [toObject(pack['run']), toObject(pack['workflow']), toObject(pack['chain'])];
  const approvals = toObjects(pack['approvals']);
  const events = toObjects(pack['events']);
  return {
    generatedAt: toTime(pack['generatedAt']),
    startedBy: toText(run['startedBy']),
    startedAt: toTime(run['startedAt']),
    workflow: {
      id: toText(workflow['workflowId']),
      version: toNumber(workflow['version']),
      digest: toText(workflow['digest']),
      deployedBy: toText(workflow['deployedBy']),
    },
    modelCount: 1 + toObjects(pack['earlierVersions']).length,
    eventCount: events.length,
    auditEventCount: toObjects(pack['auditEvents']).length,
    refusalCount: toObjects(pack['refusals']).length,
    headHash: toText(toObject(chain['runHead'])['hash']),
    approvalCount: approvals.length,
    votes: approvals
      .flatMap((approval) => toObjects(approval['votes']).map((vote) => readVote(approval, vote)))
      .sort((a, b) => Date.parse(a.at ?? '') - Date.parse(b.at ?? '') || 0),
    policyDecisions: countPolicyDecisions(events),
    answers: toObjects(pack['questions'])
      .filter(({ status }) => status === 'answered')
      .map(({ text, answer, answeredBy, answeredByName, closedAt }) => ({
        question: toText(text),
        answer: answer === null || answer === undefined ? null : (toText(answer) ?? JSON.stringify(answer)),
        answeredBy: formatPerson(answeredBy, answeredByName),
        at: toTime(closedAt),
      })),
    comments: events.filter(({ type }) => type === 'approval.commented').map((event) => readComment(event, approvals)),
    artifacts: toObjects(pack['artifacts']).map(({ name, version, size, sha256 }) => ({
      name: toText(name),
      version: toNumber(version),
      size: toNumber(size),
      sha256: toText(sha256),
    })),
  };
}

function readVote({ title, round }: PackObject, vote: PackObject): EvidenceVote {
  return {
    voter: formatPerson(vote['by'], vote['byName']),
    inPlaceOf: toText(vote['inPlaceOf']),
    decision: toText(vote['decision']),
    title: toText(title),
    round: toNumber(round),
    at: toTime(vote['at']),
    digest: toText(vote['digest']),
    isSigned: typeof vote['signature'] === 'string',
    counts: vote['counts'] !== false,
  };
}

function readComment(event: PackObject, approvals: readonly PackObject[]): EvidenceComment {
  const [data, privateData] = [toObject(event['data']), toObject(event['private'])];
  const { id, name } = toObject(privateData['actor']);
  const approval = approvals.find(({ approvalId }) => toText(approvalId) === toText(data['approvalId']));
  return {
    author: formatPerson(id, name),
    title: toText(approval?.['title']),
    round: toNumber(data['round']),
    text: toText(privateData['text']),
    at: toTime(event['at']),
  };
}

/** Returns the name of a person with the id, which is what the events prove. */
function formatPerson(id: unknown, name: unknown): string | null {
  const [idText, nameText] = [toText(id), toText(name)];
  return nameText === null || nameText === idText || idText === null ? idText : `${nameText} (${idText})`;
}

/** Counts the policy decisions in the hashed data of the events, not those in the steps, which no hash covers. */
function countPolicyDecisions(events: readonly PackObject[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { data } of events) {
    const decision = toText(toObject(toObject(data)['policyDecision'])['decision']);
    if (decision !== null) counts.set(decision, (counts.get(decision) ?? 0) + 1);
  }
  return counts;
}

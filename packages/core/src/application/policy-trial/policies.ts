import { inject, injectable } from 'inversify';
import { compileWorkflowsAside } from '@countersign/bpmn';
import { ApiError, type PolicyDecision, type WorkflowGraph } from '@countersign/model';
import { DefinitionStore } from '../../ports/definitions.js';
import { PolicyDraftPort, PolicyPort, type PolicyDraft, type PolicyTexts } from '../../ports/policy.js';
import type { RunRecord } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import { RunQueries, type RunListRequest } from '../run-queries.js';
import { isChanged, isWeaker } from './compare-decisions.js';
import {
  RecordedPolicyRequests,
  type UnreplayableRequest,
  type RecordedPolicyRequest,
} from './recorded-policy-requests.js';

export interface TryPolicyRequest {
  readonly policies: PolicyTexts;
  readonly runs: Pick<RunListRequest, 'filter' | 'stuck'>;
  /** Maximum number of runs, newest first. */
  readonly limit: number;
}

export type PolicyChangeView = {
  runId: string;
  stepId: string;
  elementId: string;
  callId: string | null;
  /** Name of the tool of a call. */
  tool: string | null;
  before: PolicyDecision;
  after: PolicyDecision;
  /** Whether the draft is weaker than the policy before. */
  weaker: boolean;
};

export type PolicyTrialView = {
  digest: string;
  runs: number;
  decided: number;
  changed: PolicyChangeView[];
  /**
   * Requests that could not be evaluated again: the draft would deny them, or the history does not record the request.
   */
  problems: UnreplayableRequest[];
  /** Whether more was found than is listed, or more could have been evaluated. */
  truncated: boolean;
};

export type PolicyView = { policyId: string; digest: string; files: Record<string, string>; inForce: boolean };

const RUNS_PAGE = 100;
const EVENTS_PAGE = 1_000;
/** Maximum number of policy decisions in one trial, and of listed items. */
const MAX_DECIDED = 20_000;
const MAX_LISTED = 1_000;

/** Current and former policies, and trials of drafts. */
@injectable()
export class Policies {
  constructor(
    @inject(PolicyPort) private readonly policy: PolicyPort,
    @inject(PolicyDraftPort) private readonly drafts: PolicyDraftPort,
    @inject(DefinitionStore) private readonly store: DefinitionStore,
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  /** @throws {ApiError} `policy_not_found` */
  async inForce(): Promise<PolicyView> {
    const known = this.policy.inForce?.();
    if (known === undefined) throw new ApiError('policy_not_found', 'The policy in force does not identify itself.');
    return this.get(known.digest);
  }

  /** @throws {ApiError} `policy_not_found` */
  async get(digest: string): Promise<PolicyView> {
    const found = await this.store.findDefinition('policy', digest);
    if (found === undefined)
      throw new ApiError('policy_not_found', `No policy with the digest ${digest} has been in force on this server.`);
    const { files = {} } = found.content as { files?: Record<string, string> };
    return { policyId: found.name, digest, files, inForce: this.policy.inForce?.().digest === digest };
  }

  /**
   * Evaluates past steps and calls again with a draft. Records nothing and does not store the draft.
   *
   * @throws {ApiError} `policy_invalid`, `service_unavailable`
   */
  async try({ policies, runs, limit }: TryPolicyRequest): Promise<PolicyTrialView> {
    const draft = await this.drafts.open(policies);
    try {
      const trial: PolicyTrialView = {
        digest: draft.digest,
        runs: 0,
        decided: 0,
        changed: [],
        problems: [],
        truncated: false,
      };
      const graphs = new Map<string, WorkflowGraph | undefined>();
      for await (const run of this.#runs(runs, limit)) {
        trial.runs += 1;
        await this.#tryRun(run, draft, graphs, trial);
        if (trial.truncated) break;
      }
      return trial;
    } finally {
      await draft.close();
    }
  }

  async *#runs(
    request: TryPolicyRequest['runs'],
    limit: number,
  ): AsyncGenerator<Pick<RunRecord, 'runId' | 'workflowId' | 'startedBy'>> {
    let [left, cursor] = [limit, undefined as string | undefined];
    do {
      const page = await this.runs.list({
        ...request,
        limit: Math.min(left, RUNS_PAGE),
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.items;
      left -= page.items.length;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && left > 0);
  }

  async #tryRun(
    { runId, workflowId, startedBy }: Pick<RunRecord, 'runId' | 'workflowId' | 'startedBy'>,
    draft: PolicyDraft,
    graphs: Map<string, WorkflowGraph | undefined>,
    trial: PolicyTrialView,
  ): Promise<void> {
    const past = new RecordedPolicyRequests({ runId, workflowId, startedBy }, (digest) =>
      graphs.get(`${workflowId} ${digest}`),
    );
    for (let seq = 0; ;) {
      const events = await this.storage.listRunEvents(runId, seq, EVENTS_PAGE);
      for (const event of events) {
        const digest = RecordedPolicyRequests.versionOf(event);
        const key = `${workflowId} ${digest ?? ''}`;
        if (digest !== undefined && !graphs.has(key)) graphs.set(key, await this.#graph(workflowId, digest));
        past.fold(event);
      }
      await this.#decide(past, draft, trial);
      seq = events.at(-1)?.seq ?? seq;
      if (events.length < EVENTS_PAGE || trial.truncated) return;
    }
  }

  async #decide(past: RecordedPolicyRequests, draft: PolicyDraft, trial: PolicyTrialView): Promise<void> {
    const questions = past.found.splice(0).slice(0, MAX_DECIDED - trial.decided);
    const answers = questions.length === 0 ? [] : await draft.decide(questions.map(({ request }) => request));
    trial.decided += questions.length;
    questions.forEach((question, index) => {
      const answer = answers[index] ?? { problem: 'The draft returned no policy decision.' };
      if ('problem' in answer) past.lost.push({ ...placeOf(question), problem: answer.problem });
      else if (isChanged(question.before, answer.decision)) trial.changed.push(changeOf(question, answer.decision));
    });
    trial.problems.push(...past.lost.splice(0));
    trial.truncated =
      trial.decided >= MAX_DECIDED || trial.changed.length > MAX_LISTED || trial.problems.length > MAX_LISTED;
    trial.changed.splice(MAX_LISTED);
    trial.problems.splice(MAX_LISTED);
  }

  /**
   * Compiles a workflow version as deployed. Returns `undefined` if the version is missing, so that its requests cannot
   * be evaluated again.
   */
  async #graph(workflowId: string, digest: string): Promise<WorkflowGraph | undefined> {
    const record = await this.storage.findWorkflowByDigest(workflowId, digest);
    if (record === undefined) return undefined;
    const { workflows } = await compileWorkflowsAside(record.bpmnXml);
    return workflows.find(({ graph }) => graph.workflowId === workflowId)?.graph;
  }
}

function placeOf({ runId, stepId, elementId, callId }: RecordedPolicyRequest): Omit<UnreplayableRequest, 'problem'> {
  return { runId, stepId, elementId, callId };
}

function changeOf(question: RecordedPolicyRequest, after: PolicyDecision): PolicyChangeView {
  const { before, request } = question;
  return {
    ...placeOf(question),
    tool: request.call?.tool ?? null,
    before,
    after,
    weaker: isWeaker(before, after, request),
  };
}

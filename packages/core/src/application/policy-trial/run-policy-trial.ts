import { inject, injectable } from 'inversify';
import { findVersionChange, type PolicyDecision, type WorkflowGraph } from '@countersign/model';
import { PolicyDraftPort, type PolicyDraft, type PolicyTexts } from '../../ports/policy.js';
import type { PageRequest, RunRecord } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import { RunQueries, type RunListRequest } from '../run-queries.js';
import { WorkflowGraphs } from '../workflow-graphs.js';
import { isChanged, isWeaker } from './compare-decisions.js';
import {
  RecordedPolicyRequests,
  type UnreplayableRequest,
  type RecordedPolicyRequest,
} from './recorded-policy-requests.js';

export interface PolicyTrialRequest {
  readonly policies: PolicyTexts;
  readonly runFilter: Omit<RunListRequest, keyof PageRequest>;
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
  /** Whether the policy decision of the draft is weaker than the recorded one. */
  weaker: boolean;
};

export type PolicyTrialView = {
  digest: string;
  runs: number;
  decided: number;
  changed: PolicyChangeView[];
  /**
   * Requests that could not be evaluated again: the draft returned no decision, which an engine treats as a denial, or
   * the request cannot be rebuilt from the history and the stored versions.
   */
  problems: UnreplayableRequest[];
  /**
   * Whether a limit was reached: more changes or problems were found than are listed, or more requests could have been
   * evaluated.
   */
  truncated: boolean;
};

const RUNS_PAGE_SIZE = 100;
const EVENTS_PAGE_SIZE = 1_000;
/** Maximum number of policy decisions in one trial. */
const MAX_EVALUATED_REQUESTS = 20_000;
/** Maximum number of listed changes, and of listed problems. */
const MAX_LISTED_CHANGES = 1_000;

/** Runs policy trials: shows what would change with a draft of the policy. */
@injectable()
export class RunPolicyTrial {
  constructor(
    @inject(PolicyDraftPort) private readonly drafts: PolicyDraftPort,
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
    @inject(WorkflowGraphs) private readonly graphs: WorkflowGraphs,
  ) {}

  /**
   * Evaluates the recorded policy requests of steps and calls again with a draft. Records nothing and does not store
   * the draft.
   *
   * @throws {ApiError} `policy_invalid`, `service_unavailable`
   */
  async execute({ policies, runFilter, limit }: PolicyTrialRequest): Promise<PolicyTrialView> {
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
      for await (const run of this.#listRuns(runFilter, limit)) {
        trial.runs += 1;
        await this.#tryRun(run, draft, graphs, trial);
        if (trial.truncated) break;
      }
      return trial;
    } finally {
      await draft.close();
    }
  }

  async *#listRuns(
    request: PolicyTrialRequest['runFilter'],
    limit: number,
  ): AsyncGenerator<Pick<RunRecord, 'runId' | 'workflowId' | 'startedBy'>> {
    let [remaining, cursor] = [limit, undefined as string | undefined];
    do {
      const page = await this.runs.list({
        ...request,
        limit: Math.min(remaining, RUNS_PAGE_SIZE),
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.items;
      remaining -= page.items.length;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && remaining > 0);
  }

  async #tryRun(
    { runId, workflowId, startedBy }: Pick<RunRecord, 'runId' | 'workflowId' | 'startedBy'>,
    draft: PolicyDraft,
    graphs: Map<string, WorkflowGraph | undefined>,
    trial: PolicyTrialView,
  ): Promise<void> {
    const recordedRequests = new RecordedPolicyRequests({ runId, workflowId, startedBy }, (digest) =>
      graphs.get(`${workflowId} ${digest}`),
    );
    for (let seq = 0; ;) {
      const events = await this.storage.listRunEvents(runId, seq, EVENTS_PAGE_SIZE);
      for (const event of events) {
        const digest = findVersionChange(event)?.digest;
        const key = `${workflowId} ${digest ?? ''}`;
        if (digest !== undefined && !graphs.has(key)) graphs.set(key, await this.graphs.find(workflowId, digest));
        recordedRequests.apply(event);
      }
      await this.#evaluate(recordedRequests, draft, trial);
      seq = events.at(-1)?.seq ?? seq;
      if (events.length < EVENTS_PAGE_SIZE || trial.truncated) return;
    }
  }

  async #evaluate(recordedRequests: RecordedPolicyRequests, draft: PolicyDraft, trial: PolicyTrialView): Promise<void> {
    const replayableRequests = recordedRequests.replayable.splice(0).slice(0, MAX_EVALUATED_REQUESTS - trial.decided);
    const results =
      replayableRequests.length === 0 ? [] : await draft.evaluate(replayableRequests.map(({ request }) => request));
    trial.decided += replayableRequests.length;
    replayableRequests.forEach((recordedRequest, index) => {
      const result = results[index] ?? { problem: 'The draft returned no policy decision.' };
      if ('problem' in result)
        recordedRequests.unreplayable.push({ ...toLocation(recordedRequest), problem: result.problem });
      else if (isChanged(recordedRequest.recordedDecision, result.decision))
        trial.changed.push(toChangeView(recordedRequest, result.decision));
    });
    trial.problems.push(...recordedRequests.unreplayable.splice(0));
    trial.truncated =
      trial.decided >= MAX_EVALUATED_REQUESTS ||
      trial.changed.length > MAX_LISTED_CHANGES ||
      trial.problems.length > MAX_LISTED_CHANGES;
    trial.changed.splice(MAX_LISTED_CHANGES);
    trial.problems.splice(MAX_LISTED_CHANGES);
  }
}

function toLocation({ runId, stepId, elementId, callId }: RecordedPolicyRequest): Omit<UnreplayableRequest, 'problem'> {
  return { runId, stepId, elementId, callId };
}

function toChangeView(recordedRequest: RecordedPolicyRequest, after: PolicyDecision): PolicyChangeView {
  const { recordedDecision: before, request } = recordedRequest;
  return {
    ...toLocation(recordedRequest),
    tool: request.call?.tool ?? null,
    before,
    after,
    weaker: isWeaker(before, after, request),
  };
}

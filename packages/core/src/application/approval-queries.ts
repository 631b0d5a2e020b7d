import { inject, injectable } from 'inversify';
import { canRequestChanges } from '@countersign/interpreter';
import type { Absence } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import type { ApprovalCounts, ApprovalFilter, Page, PageRequest } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import type { ReadContext } from './caller.js';
import { approvalNotFoundError, inputError } from './errors.js';
import type { PageView } from './run-queries.js';
import { toApprovalView, findNamedApprovers, type ApprovalView, type NamedApprovers } from './views/approval-view.js';
import { toInboxItemView, type InboxItemView } from './views/inbox-view.js';
import { WorkflowGraphs } from './workflow-graphs.js';

/**
 * Inbox of the viewer: pending approvals that the viewer can decide, other pending approvals, or approvals the viewer
 * voted on.
 */
export type InboxKind = 'mine' | 'others' | 'decided';

export interface ApprovalListRequest extends PageRequest {
  readonly filter: Omit<ApprovalFilter, 'decidableBy' | 'undecidableBy' | 'votedBy'>;
  readonly inbox?: InboxKind;
}

/** Maximum number of approvals that are counted: enough for a number in an inbox, and a small query. */
const MAX_COUNTED = 1_000;

/** Queries for approvals. Each view states whether the viewer may vote. */
@injectable()
export class ApprovalQueries {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(WorkflowGraphs) private readonly graphs: WorkflowGraphs,
  ) {}

  /** @throws {ApiError} `invalid_parameter`, `invalid_cursor` */
  async list(request: ApprovalListRequest, viewer: ReadContext): Promise<PageView<ApprovalView>> {
    const { items, nextCursor } = await this.loadPage(
      request,
      viewer,
      (filter, page) => this.storage.listApprovals(filter, page),
      toApprovalView,
    );
    return { items: await Promise.all(items.map((view) => this.addUnavailableDecisions(view))), nextCursor };
  }

  /**
   * Lists approvals like `list`, without what only the page of an approval needs.
   *
   * @throws {ApiError} `invalid_parameter`, `invalid_cursor`
   */
  listInbox(request: ApprovalListRequest, viewer: ReadContext): Promise<PageView<InboxItemView>> {
    const { type, id } = viewer.actor;
    return this.loadPage(
      request,
      viewer,
      (filter, page) => this.storage.listInbox(filter, page, { type, id }),
      toInboxItemView,
    );
  }

  private async loadPage<Approval extends NamedApprovers, View>(
    request: ApprovalListRequest,
    viewer: ReadContext,
    load: (filter: ApprovalFilter, page: PageRequest) => Promise<Page<Approval>>,
    toView: (approval: Approval, viewer: ReadContext, now: number, absences: readonly Absence[]) => View,
  ): Promise<PageView<View>> {
    const filter = toFilter(request, viewer);
    if (filter === null) return { items: [], nextCursor: null };
    const { limit, cursor } = request;
    const page = await load(filter, { limit, ...(cursor === undefined ? {} : { cursor }) });
    const now = this.clock.now();
    const absences = await findAbsences(this.storage, page.items);
    return {
      items: page.items.map((approval) => toView(approval, viewer, now, absences)),
      nextCursor: page.nextCursor,
    };
  }

  /** Counts what `listInbox` returns on all its pages, up to {@link MAX_COUNTED}. */
  async count(request: Pick<ApprovalListRequest, 'filter' | 'inbox'>, viewer: ReadContext): Promise<ApprovalCounts> {
    const filter = toFilter(request, viewer);
    if (filter === null) return { total: { count: 0, exact: true }, workflows: [], requesters: [], groups: [] };
    return this.storage.countApprovals(filter, MAX_COUNTED);
  }

  /** @throws {ApiError} `approval_not_found` */
  async get(approvalId: string, viewer: ReadContext): Promise<ApprovalView> {
    const found = await this.storage.findApproval(approvalId);
    if (found === undefined) throw approvalNotFoundError(approvalId);
    return this.addUnavailableDecisions(
      toApprovalView(found, viewer, this.clock.now(), await findAbsences(this.storage, [found])),
    );
  }

  /** Adds the decisions that the BPMN model leaves no way for; nothing if this server cannot compile the model. */
  private async addUnavailableDecisions(view: ApprovalView): Promise<ApprovalView> {
    const { status, elementId, subject } = view;
    if (status !== 'pending') return view;
    const { workflowId, digest } = subject.definition;
    const graph = await this.graphs.find(workflowId, digest).catch(() => undefined);
    if (graph === undefined) return view;
    return {
      ...view,
      unavailableDecisions:
        subject.kind === 'tool_call' || canRequestChanges(graph, elementId)
          ? []
          : [{ decision: 'request_changes', reason: 'rework_not_possible' }],
    };
  }
}

/** Returns the current absences of the candidates of approvals. */
export async function findAbsences(
  storage: Pick<StoragePort, 'listCurrentAbsences'>,
  approvals: readonly NamedApprovers[],
): Promise<readonly Absence[]> {
  const subjects = new Set(approvals.flatMap(findNamedApprovers));
  return subjects.size === 0 ? [] : storage.listCurrentAbsences({ subjects: [...subjects] });
}

/** Returns the filter of the storage; `null` if it finds nothing. */
function toFilter(
  { filter, inbox }: Pick<ApprovalListRequest, 'filter' | 'inbox'>,
  viewer: ReadContext,
): ApprovalFilter | null {
  const inboxFilter = toInboxFilter(inbox, viewer);
  if (inboxFilter === null || (inbox === 'others' && (filter.status ?? 'pending') !== 'pending')) return null;
  if (inbox === 'decided' && (filter.sort ?? 'newest') !== 'newest') {
    const fieldError = {
      pointer: '/query/sort',
      code: 'invalid',
      message: 'Must be "newest" or omitted for decided approvals.',
    };
    throw inputError('invalid_parameter', 'The order of decided approvals cannot be changed.', [fieldError]);
  }
  return { ...filter, ...inboxFilter };
}

/** Returns the filter of an inbox; `null` if the inbox is always empty. */
function toInboxFilter(
  inbox: InboxKind | undefined,
  { actor, mayDecide }: ReadContext,
): Partial<ApprovalFilter> | null {
  const person = { id: actor.id, userNames: actor.userNames ?? [], groups: actor.groups ?? [] };
  // Services, and users whose role does not permit votes, cannot vote.
  const canDecide = actor.type === 'user' && mayDecide;
  switch (inbox) {
    case undefined:
      return {};
    case 'mine':
      return canDecide ? { decidableBy: person } : null;
    case 'others':
      return canDecide ? { undecidableBy: person } : { status: 'pending' };
    case 'decided':
      return actor.type === 'user' ? { votedBy: actor.id } : null;
  }
}

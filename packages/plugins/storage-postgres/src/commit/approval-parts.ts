import { isoTime } from '@countersign/model';
import { toListColumns } from '../rows/listed-approval.js';
import { createInsertPart, type CommitPart } from './commit-part.js';

/** Approvals and their votes. */
export const APPROVAL_PARTS: readonly CommitPart[] = [
  createInsertPart(
    'approvals',
    {
      run_id: 'uuid',
      approval_id: 'uuid',
      workflow_id: 'text',
      workflow_version: 'int',
      step_id: 'uuid',
      element_id: 'text',
      business_key: 'text',
      title: 'text',
      description: 'text',
      status: 'word',
      round: 'int',
      previous_approval_id: 'uuid',
      requested_at: 'moment',
      requested_by: 'text',
      due_at: 'timestamptz',
      resolved_at: 'moment',
      resolved_by: 'jsonb',
      candidate_users: 'jsonb',
      candidate_groups: 'jsonb',
      delegations: 'jsonb',
      quorum: 'int',
      priority: 'int',
      separation_of_duties: 'word',
      excluded: 'jsonb',
      risk_level: 'word',
      risk_factors: 'jsonb',
      rationale: 'text',
      subject: 'json',
      summary: 'text',
      outline: 'json',
      search_text: 'text',
      digest: 'word',
      signature_required: 'boolean',
    },
    ({ run, approvalsOpened }) =>
      approvalsOpened.map((approval) => ({
        run_id: run.runId,
        approval_id: approval.approvalId,
        workflow_id: approval.workflowId,
        workflow_version: approval.workflowVersion,
        step_id: approval.stepId,
        element_id: approval.elementId,
        business_key: approval.businessKey,
        title: approval.title,
        description: approval.description,
        status: approval.status,
        round: approval.round,
        previous_approval_id: approval.previousApprovalId,
        requested_at: approval.requestedAt,
        requested_by: approval.requestedBy,
        due_at: approval.dueAt === null ? null : isoTime(approval.dueAt),
        // An approval may be resolved by the command that opens it.
        resolved_at: approval.resolvedAt,
        resolved_by: approval.resolvedBy,
        candidate_users: approval.candidateUsers,
        candidate_groups: approval.candidateGroups,
        delegations: approval.delegations,
        quorum: approval.quorum,
        priority: approval.priority,
        separation_of_duties: approval.separationOfDuties,
        excluded: approval.excluded,
        risk_level: approval.riskLevel,
        risk_factors: approval.riskFactors,
        rationale: approval.rationale,
        subject: approval.subject,
        ...toListColumns(approval),
        digest: approval.digest,
        signature_required: approval.requireSignature === true,
      })),
  ),
  {
    name: 'changed_approvals',
    columns: {
      run_id: 'uuid',
      approval_id: 'uuid',
      status: 'word',
      resolved_at: 'moment',
      resolved_by: 'jsonb',
      candidate_users: 'jsonb',
      candidate_groups: 'jsonb',
      delegations: 'jsonb',
      excluded: 'jsonb',
    },
    sql: `UPDATE approvals a SET status = n.status, resolved_at = n.resolved_at, resolved_by = n.resolved_by,
            candidate_users = n.candidate_users, candidate_groups = n.candidate_groups, delegations = n.delegations,
            excluded = COALESCE(n.excluded, a.excluded)
          FROM input n
          WHERE a.approval_id = n.approval_id AND a.approval_id = ANY(ARRAY(SELECT approval_id FROM input))`,
    rows: ({ run, approvalsChanged, approvalsExcluded }) => {
      const excluded = new Map(approvalsExcluded.map((each) => [each.approvalId, each.excluded]));
      return approvalsChanged.map((change) => ({
        run_id: run.runId,
        approval_id: change.approvalId,
        status: change.status,
        resolved_at: change.resolvedAt,
        resolved_by: change.resolvedBy,
        candidate_users: change.candidateUsers,
        candidate_groups: change.candidateGroups,
        delegations: change.delegations,
        excluded: excluded.get(change.approvalId) ?? null,
      }));
    },
  },
  {
    name: 'excluded_from_approvals',
    columns: { run_id: 'uuid', approval_id: 'uuid', excluded: 'jsonb' },
    sql: `UPDATE approvals a SET excluded = n.excluded
          FROM input n
          WHERE a.approval_id = n.approval_id AND a.approval_id = ANY(ARRAY(SELECT approval_id FROM input))`,
    rows: ({ run, approvalsExcluded, approvalsChanged }) => {
      // One statement may update a row only once; approvals with other changes are handled above.
      const changed = new Set(approvalsChanged.map(({ approvalId }) => approvalId));
      return approvalsExcluded.flatMap(({ approvalId, excluded }) =>
        changed.has(approvalId) ? [] : [{ run_id: run.runId, approval_id: approvalId, excluded }],
      );
    },
  },
  createInsertPart(
    'votes',
    {
      run_id: 'uuid',
      vote_id: 'uuid',
      approval_id: 'uuid',
      decision: 'word',
      comment: 'text',
      voted_by: 'text',
      voted_by_name: 'text',
      asked_as: 'jsonb',
      voted_at: 'moment',
      digest: 'word',
      signature: 'jsonb',
      shown: 'jsonb',
    },
    // A user who edits a call approves it in the same command that opens its approval.
    ({ run, approvalsOpened, approvalsChanged }) =>
      [...approvalsOpened, ...approvalsChanged].flatMap(({ approvalId, votes }) =>
        votes.map((vote) => ({
          run_id: run.runId,
          vote_id: vote.voteId,
          approval_id: approvalId,
          decision: vote.decision,
          comment: vote.comment,
          voted_by: vote.by,
          voted_by_name: vote.byName,
          asked_as: vote.askedAs,
          voted_at: vote.at,
          digest: vote.digest,
          signature: vote.signature,
          shown: vote.shown,
        })),
      ),
    // A change carries all votes of the approval; votes of earlier commands are already stored.
    'ON CONFLICT (approval_id, vote_id) DO NOTHING',
  ),
  {
    // Votes of earlier commands that no longer count. A vote counts when it is cast.
    name: 'votes_not_counted',
    columns: { run_id: 'uuid', approval_id: 'uuid', vote_id: 'uuid' },
    sql: `UPDATE votes v SET counts = false
          FROM input n
          WHERE v.approval_id = n.approval_id AND v.vote_id = n.vote_id AND v.approval_id = ANY(ARRAY(SELECT approval_id FROM input))`,
    rows: ({ run, approvalsChanged }) =>
      approvalsChanged.flatMap(({ approvalId, votes }) =>
        votes.flatMap(({ voteId, counts }) =>
          counts === false ? [{ run_id: run.runId, approval_id: approvalId, vote_id: voteId }] : [],
        ),
      ),
  },
];

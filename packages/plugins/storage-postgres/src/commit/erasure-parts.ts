import { ERASE_DELIVERY_ASSIGNMENTS } from '../outbound-deliveries/erase-delivery.js';
import { toListColumns } from '../rows/listed-approval.js';
import type { CommitPart } from './commit-part.js';

/**
 * Erasures of personal data, written together with the event that records them. Triggers prevent changes to the data
 * that the hashes cover.
 */
export const ERASURE_PARTS: readonly CommitPart[] = [
  {
    name: 'erased_events',
    columns: { run_id: 'uuid', seq: 'int' },
    sql: `UPDATE run_events e SET private = NULL, salt = NULL FROM input n WHERE e.run_id = n.run_id AND e.seq = n.seq`,
    rows: ({ run, erasure }) => (erasure?.events ?? []).map((seq) => ({ run_id: run.runId, seq })),
  },
  {
    name: 'erased_audit_events',
    columns: { run_id: 'uuid', seq: 'int' },
    sql: `UPDATE audit_events a SET actor_id = NULL, actor = NULL, "from" = NULL, data = '{}', salt = NULL
          FROM input n WHERE a.run_id = n.run_id AND a.seq = n.seq`,
    rows: ({ run, erasure }) => (erasure?.auditEvents ?? []).map((seq) => ({ run_id: run.runId, seq })),
  },
  {
    name: 'erased_approvals',
    columns: {
      run_id: 'uuid',
      approval_id: 'uuid',
      title: 'text',
      business_key: 'text',
      requested_by: 'text',
      resolved_by: 'jsonb',
      candidate_users: 'jsonb',
      delegations: 'jsonb',
      excluded: 'jsonb',
      subject: 'json',
      summary: 'text',
      outline: 'json',
      search_text: 'text',
    },
    sql: `UPDATE approvals a SET title = n.title, business_key = n.business_key, requested_by = n.requested_by, resolved_by = n.resolved_by, candidate_users = n.candidate_users,
            delegations = n.delegations, excluded = n.excluded, subject = n.subject, summary = n.summary, outline = n.outline, search_text = n.search_text,
            list_revision = a.list_revision + 1
          FROM input n WHERE a.run_id = n.run_id AND a.approval_id = n.approval_id`,
    rows: ({ run, erasure }) =>
      (erasure?.approvals ?? []).map((approval) => ({
        run_id: run.runId,
        approval_id: approval.approvalId,
        title: approval.title,
        business_key: approval.businessKey,
        requested_by: approval.requestedBy,
        resolved_by: approval.resolvedBy,
        candidate_users: approval.candidateUsers,
        delegations: approval.delegations,
        excluded: approval.excluded,
        subject: approval.subject,
        ...toListColumns(approval),
      })),
  },
  {
    name: 'erased_votes',
    columns: {
      run_id: 'uuid',
      approval_id: 'uuid',
      vote_id: 'uuid',
      comment: 'text',
      voted_by: 'text',
      voted_by_name: 'text',
      asked_as: 'jsonb',
      signature: 'jsonb',
      shown: 'jsonb',
    },
    sql: `UPDATE votes v SET comment = n.comment, voted_by = n.voted_by, voted_by_name = n.voted_by_name, asked_as = n.asked_as, signature = n.signature, shown = n.shown
          FROM input n WHERE v.approval_id = n.approval_id AND v.vote_id = n.vote_id`,
    rows: ({ run, erasure }) =>
      (erasure?.approvals ?? []).flatMap(({ approvalId, votes }) =>
        votes.map((vote) => ({
          run_id: run.runId,
          approval_id: approvalId,
          vote_id: vote.voteId,
          comment: vote.comment,
          voted_by: vote.by,
          voted_by_name: vote.byName,
          asked_as: vote.askedAs,
          signature: vote.signature,
          shown: vote.shown,
        })),
      ),
  },
  {
    name: 'erased_questions',
    columns: {
      run_id: 'uuid',
      question_id: 'uuid',
      text: 'text',
      options: 'jsonb',
      answer_schema: 'jsonb',
      on_due: 'jsonb',
      answer: 'jsonb',
      answered_by: 'jsonb',
    },
    sql: `UPDATE questions q SET text = n.text, options = n.options, answer_schema = n.answer_schema, on_due = n.on_due, answer = n.answer, answered_by = n.answered_by
          FROM input n WHERE q.run_id = n.run_id AND q.question_id = n.question_id`,
    rows: ({ run, erasure }) =>
      (erasure?.questions ?? []).map((question) => ({
        run_id: run.runId,
        question_id: question.questionId,
        text: question.text,
        options: question.options,
        answer_schema: question.answerSchema,
        on_due: question.onDue,
        answer: question.answer,
        answered_by: question.answeredBy,
      })),
  },
  {
    name: 'erased_artifacts',
    columns: { run_id: 'uuid', artifact_id: 'uuid', name: 'text', content_type: 'text', created_by: 'text' },
    sql: `UPDATE artifacts a SET name = n.name, content_type = n.content_type, created_by = n.created_by
          FROM input n WHERE a.run_id = n.run_id AND a.artifact_id = n.artifact_id`,
    rows: ({ run, erasure }) =>
      (erasure?.artifacts ?? []).map((artifact) => ({
        run_id: run.runId,
        artifact_id: artifact.artifactId,
        name: artifact.name,
        content_type: artifact.contentType,
        created_by: artifact.createdBy,
      })),
  },
  {
    name: 'erased_deliveries',
    columns: { run_id: 'uuid', delivery_id: 'uuid' },
    sql: `UPDATE outbound_deliveries d SET ${ERASE_DELIVERY_ASSIGNMENTS}
          FROM input n WHERE d.run_id = n.run_id AND d.delivery_id = n.delivery_id`,
    rows: ({ run, erasure }) => (erasure?.deliveries ?? []).map((delivery_id) => ({ run_id: run.runId, delivery_id })),
  },
  {
    name: 'erased_inbound_events',
    columns: { run_id: 'uuid', event_id: 'uuid' },
    sql: `UPDATE inbound_events e SET payload = NULL, actor = NULL, "from" = NULL FROM input n WHERE e.event_id = n.event_id`,
    rows: ({ run, erasure }) => (erasure?.inboundEvents ?? []).map((event_id) => ({ run_id: run.runId, event_id })),
  },
  {
    name: 'erased_answers',
    columns: { run_id: 'uuid' },
    // Stored responses are returned for repeated requests until they expire. This removes the details of the run from
    // them. A comment names only its approval. OFFSET lets the approvals be read once per run.
    sql: `UPDATE idempotency_keys k SET response = json_build_object('runId', n.run_id, 'erased', true)
          FROM (
            SELECT i.run_id, ARRAY(SELECT a.approval_id::text FROM approvals a WHERE a.run_id = i.run_id) AS approval_ids
            FROM input i OFFSET 0
          ) n
          WHERE strpos(k.response::text, n.run_id::text) > 0 OR k.response ->> 'approvalId' = ANY (n.approval_ids)`,
    rows: ({ run, erasure }) => (erasure === null ? [] : [{ run_id: run.runId }]),
  },
];

import type { ListedApproval, SubjectOutline } from '@countersign/core/ports';
import { summarizeSubject, type ApprovalRecord, type ApprovalSubject, type Json } from '@countersign/model';
import { toApprovalWithoutSubject, type ApprovalRow } from './approval-row.js';
import type { VoteRow } from './vote-row.js';

/** Maximum length of the searched part of a subject. */
const MAX_SEARCHED_CHARACTERS = 2_000;

/** They include NUL, which PostgreSQL cannot store, and the separators of written values (`RowEncoding`). */
// eslint-disable-next-line no-control-regex -- these are the characters to replace
const CONTROL_CHARACTERS = /[\u0000-\u001f]/g;

/** Row of `approvals` in a list, with the subject only if the row has no outline. */
type ListedApprovalRow = Omit<ApprovalRow, 'subject'> &
  (
    | { readonly outline: SubjectOutline; readonly summary: string | null }
    | { readonly outline: null; readonly subject: ApprovalSubject }
  );

type SearchedApproval = Pick<
  ApprovalRecord,
  | 'approvalId'
  | 'runId'
  | 'workflowId'
  | 'elementId'
  | 'title'
  | 'description'
  | 'businessKey'
  | 'requestedBy'
  | 'subject'
>;

/** Returns the columns with which lists show and find an approval. */
export function toListColumns(approval: SearchedApproval): {
  readonly summary: string | null;
  readonly outline: SubjectOutline;
  readonly search_text: string;
} {
  const { subject } = approval;
  const summary = toStorableText(summarizeSubject(subject));
  return {
    // An empty text would make the whole row more expensive to write (`RowEncoding`).
    summary: summary === '' ? null : summary,
    outline: toOutline(subject),
    search_text: buildSearchText(approval),
  };
}

export function toListedApproval(row: ListedApprovalRow, votes: readonly VoteRow[]): Omit<ListedApproval, 'comments'> {
  const listed =
    row.outline === null
      ? { summary: summarizeSubject(row.subject), subject: toOutline(row.subject) }
      : { summary: row.summary ?? '', subject: row.outline };
  return { ...toApprovalWithoutSubject(row, votes), ...listed };
}

function toOutline(subject: ApprovalSubject): SubjectOutline {
  const { kind, evidence } = subject;
  if (kind === 'user_task') return { kind, evidence };
  const { tool, effect, reversible, hosts } = subject;
  return { kind, tool, effect, reversible, hosts, evidence };
}

/** Returns everything that a search compares. */
function buildSearchText(approval: SearchedApproval): string {
  const { subject } = approval;
  const texts = [
    approval.title,
    approval.description ?? '',
    approval.businessKey ?? '',
    approval.requestedBy,
    approval.workflowId,
    approval.elementId,
    approval.runId,
    approval.approvalId,
  ];
  const subjectTexts =
    subject.kind === 'tool_call'
      ? [subject.tool, ...findTexts(subject.inputs)]
      : [subject.summary ?? '', ...findTexts(subject.fields as unknown as Json), ...findTexts(subject.inputs)];
  const searched = subjectTexts.join(' ').slice(0, MAX_SEARCHED_CHARACTERS);
  return toStorableText([...texts, searched].join(' '));
}

function toStorableText(text: string): string {
  return text.replaceAll(CONTROL_CHARACTERS, ' ').toWellFormed();
}

/** Returns the texts and numbers of a value, without the names of its members. */
function findTexts(value: Json | undefined): string[] {
  const texts: string[] = [];
  let length = 0;
  const visit = (each: Json | undefined): void => {
    if (each === null || each === undefined || typeof each === 'boolean') return;
    if (typeof each === 'object') {
      for (const member of Array.isArray(each) ? each : Object.values(each)) {
        if (length > MAX_SEARCHED_CHARACTERS) return;
        visit(member);
      }
      return;
    }
    const text = String(each).slice(0, MAX_SEARCHED_CHARACTERS);
    // The separator counts, too, so that empty texts reach the maximum.
    length += text.length + 1;
    texts.push(text);
  };
  visit(value);
  return texts;
}

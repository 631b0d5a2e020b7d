import type { CountedVote } from './monkey-inbox.spec.support.js';
import type { DecisionActivation, ScreenEvent, BulkProgress } from './screen-observer.spec.support.js';

const PROGRESS_WORDS: Readonly<Record<string, string>> = {
  approve: 'Approving',
  edit: 'Changing the arguments of',
  reject: 'Rejecting',
  request_changes: 'Requesting changes for',
};

type Entry = Pick<DecisionActivation, 'approvalId' | 'decision' | 'comment'> & { readonly title: string };

interface VoteCheckOptions {
  /** Everything that the screen displayed, in order. */
  readonly seen: readonly ScreenEvent[];
  /** Votes that the server has recorded. */
  readonly counted: readonly CountedVote[];
  /** Returns whether approvals with this title, in any round, need a second confirmation. */
  needsConfirmation(title: string): boolean;
}

/** Mismatches as sentences, and the number of decisions whose outcome the screen left open. */
export interface VoteCheckResult {
  readonly faults: readonly string[];
  readonly unjudged: number;
}

/** Compares the votes recorded by the server with the decisions that were confirmed on screen and not undone. */
export function checkVotes({ seen, counted, needsConfirmation }: VoteCheckOptions): VoteCheckResult {
  const faults: string[] = [];
  const confirmed: Entry[] = [];
  const inProgress = new Map<number, Entry & { state: string }>();
  /** Votes that the server must have. */
  const sent: Entry[] = [];
  /** Votes that the server may have: the screen did not display their outcome. */
  const unknown: Entry[] = [];
  let bulkEntries: readonly Entry[] = [];
  let bulkState: BulkProgress['state'] = 'gone';
  let wasUndone = false;

  for (const each of seen) {
    if (each.kind === 'undone') {
      wasUndone = true;
    } else if (each.kind === 'confirmed') {
      const { control, titles, decision, ready, approvalId, comment } = each;
      const isDecisive =
        control !== 'form' ||
        (ready && decision !== 'edit' && !(decision === 'approve' && needsConfirmation(titles[0] ?? '')));
      if (!isDecisive) continue;
      wasUndone = false;
      if (control === 'together') bulkEntries = titles.map((title) => ({ approvalId: '', title, decision, comment }));
      else confirmed.push({ approvalId, title: titles[0] ?? '', decision, comment });
    } else if (each.kind === 'together') {
      const { state, counted: titles } = each;
      if (state === 'undoable' && bulkEntries.length === 0)
        faults.push('Several approvals are about to be approved together without a confirmation.');
      if (state === 'gone' && bulkState === 'undoable')
        faults.push(`Approving ${formatTitles(bulkEntries)} together disappeared from the screen without a result.`);
      if (state === 'gone' && (bulkState === 'sending' || bulkState === 'failed')) unknown.push(...bulkEntries);
      if (state === 'done')
        sent.push(...titles.map((title) => ({ approvalId: '', title, decision: 'approve', comment: '' })));
      if (state === 'asking' || state === 'done' || state === 'gone') bulkEntries = [];
      bulkState = state;
    } else {
      const { line, title, doing, state } = each;
      const entry = inProgress.get(line);
      if (state === 'gone') {
        inProgress.delete(line);
        if (entry === undefined) continue;
        // Edited arguments are a proposal for another approver, not a vote.
        if (entry.state === 'sending' && entry.decision !== 'edit') sent.push(entry);
        if (entry.state === 'unknown') unknown.push(entry);
        if (entry.state === 'undoable' && !wasUndone)
          faults.push(
            `The decision on “${entry.title}” (${entry.decision}) disappeared from the screen without a result.`,
          );
        continue;
      }
      // A decision that was not recorded may be repeated on the same line.
      const isRetry = entry?.state === 'failed' && state === 'undoable';
      if (entry !== undefined && !isRetry && PROGRESS_WORDS[entry.decision] === doing) {
        entry.state = state;
        continue;
      }
      const index = confirmed.findIndex(
        (candidate) => candidate.title === title && PROGRESS_WORDS[candidate.decision] === doing,
      );
      const [matchingEntry] = index < 0 ? [] : confirmed.splice(index, 1);
      if (matchingEntry === undefined) faults.push(`${doing} “${title}” is in progress without a confirmation.`);
      else inProgress.set(line, { ...matchingEntry, state });
    }
  }
  const unfinished = [...inProgress.values()];
  unknown.push(...unfinished.filter(({ state }) => state === 'unknown'));
  for (const { title, decision } of confirmed)
    faults.push(`“${title}” was confirmed (${decision}), but the decision was lost.`);
  for (const { title, state } of unfinished)
    if (state === 'undoable' || state === 'sending') faults.push(`The decision on “${title}” is still ${state}.`);
  if (bulkState === 'undoable' || bulkState === 'sending')
    faults.push(`Approving ${formatTitles(bulkEntries)} together is still ${bulkState}.`);
  return { faults: [...faults, ...compareWithServer(sent, unknown, counted)], unjudged: unknown.length };
}

function formatTitles(entries: readonly Entry[]): string {
  return entries.map(({ title }) => `“${title}”`).join(', ');
}

function compareWithServer(
  sent: readonly Entry[],
  unknown: readonly Entry[],
  counted: readonly CountedVote[],
): string[] {
  const faults: string[] = [];
  const remaining = [...counted];
  /** Removes and returns the vote on the displayed round, or else a vote on another round. */
  const take = ({ approvalId, title, decision }: Entry): CountedVote | undefined => {
    const exact = remaining.findIndex((vote) => vote.approvalId === approvalId && vote.decision === decision);
    const index =
      exact >= 0 ? exact : remaining.findIndex((vote) => vote.title === title && vote.decision === decision);
    return index < 0 ? undefined : remaining.splice(index, 1)[0];
  };
  // First the entries for which the screen named the approval, because titles may be equal.
  for (const entry of [...sent].sort((a, b) => Number(a.approvalId === '') - Number(b.approvalId === ''))) {
    const vote = take(entry);
    if (vote === undefined)
      faults.push(`“${entry.title}” was sent (${entry.decision}), but the server has no such vote.`);
    else if (vote.comment !== entry.comment)
      faults.push(`“${entry.title}”: “${entry.comment}” was confirmed, but the server has “${vote.comment}”.`);
    else if (entry.approvalId !== '' && vote.approvalId !== entry.approvalId)
      faults.push(`“${entry.title}”: the vote is for another round than the one on screen.`);
  }
  for (const entry of unknown) take(entry);
  for (const { title, decision } of remaining)
    faults.push(`The server has a vote on “${title}” (${decision}) that was not confirmed.`);
  return faults;
}

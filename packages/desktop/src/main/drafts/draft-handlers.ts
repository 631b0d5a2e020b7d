import type { OperationResult } from '../../common/operation-result.js';
import type { Desktop } from '../desktop.js';
import type { Handlers } from '../ipc/serve-methods.js';
import type { ServerSession } from '../session/server-session.js';

/** Draft methods for the window: read and write the drafts of the signed-in user at the active server. */
export function draftHandlers(desktop: Desktop): Pick<Handlers, 'loadDrafts' | 'saveDraft' | 'dropDraft'> {
  return {
    loadDrafts: () => {
      const { anySession } = desktop;
      const subject = writerAt(anySession);
      return subject === undefined ? [] : (anySession?.drafts.of(subject) ?? []);
    },
    saveDraft: (draft) => {
      const subject = writerAt(desktop.anySession);
      if (subject !== undefined) desktop.anySession?.drafts.put(subject, draft);
      return undefined;
    },
    dropDraft: (draft) => {
      const subject = writerAt(desktop.anySession);
      if (subject !== undefined) desktop.anySession?.drafts.drop(subject, draft);
      return undefined;
    },
  };
}

/** Deletes the draft only once the vote counts: a vote that fails keeps its text. */
export async function droppedOnceSent<T>(
  session: ServerSession,
  approvalId: string,
  sending: Promise<OperationResult<T>>,
): Promise<OperationResult<T>> {
  const subject = writerAt(session);
  const answer = await sending;
  if (answer.ok && subject !== undefined) session.drafts.drop(subject, { approvalId });
  return answer;
}

/** Returns the user, even while the server does not respond. */
function writerAt(session: ServerSession | undefined): string | undefined {
  return session?.state.kind === 'signed-in' || session?.state.kind === 'offline'
    ? session.state.me.subject
    : undefined;
}

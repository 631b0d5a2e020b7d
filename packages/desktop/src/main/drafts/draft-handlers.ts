import type { OperationResult } from '../../common/operation-result.js';
import type { Desktop } from '../desktop.js';
import type { Handlers } from '../ipc/serve-methods.js';
import type { ServerSession } from '../session/server-session.js';

/** What the window may do with drafts: it reads and writes those of the signed-in user at the server that is shown. */
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

/** Not before it counts: what is lost on its way is still there. */
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

/** Also while the server does not answer. */
function writerAt(session: ServerSession | undefined): string | undefined {
  return session?.state.kind === 'signed-in' || session?.state.kind === 'offline'
    ? session.state.me.subject
    : undefined;
}

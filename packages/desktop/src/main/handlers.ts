import { dialog, shell, type BrowserWindow } from 'electron';
import type { ZoomStep } from '../common/zoom.js';
import { ApiOperations } from './api/api-operations.js';
import { readArtifact } from './api/read-artifact.js';
import type { ConfirmationRequest } from './api/confirmation-request.js';
import type { Desktop } from './desktop.js';
import { createDraftHandlers, dropDraftOnceSent } from './drafts/draft-handlers.js';
import { createEvidenceHandlers } from './evidence/evidence-handlers.js';
import type { Handlers } from './ipc/serve-methods.js';
import type { DesktopPresence } from './presence/desktop-presence.js';
import { createPresenceHandlers } from './presence/presence-handlers.js';
import type { ShortcutSettingsStore } from './keys/shortcut-settings-store.js';
import { createForgetServerPrompt } from './servers/forget-server-prompt.js';
import type { Confirm } from './signing/confirm.js';
import type { SigningService } from './signing/signing-service.js';
import { createSigningHandlers } from './signing/signing-handlers.js';
import { commentOnApproval } from './comments/comment-on-approval.js';
import { answerQuestion } from './questions/answer-question.js';
import type { ServerSession } from './session/server-session.js';
import { getAccount, createUnconfirmedVoteHandlers } from './vote/unconfirmed-vote-handlers.js';
import type { UnconfirmedVoteStore } from './vote/unconfirmed-vote-store.js';
import { Votes } from './vote/votes.js';
import { toExternalLink } from './window/external-link.js';
import type { MainWindow } from './window/main-window.js';

interface HandlersOptions {
  readonly desktop: Desktop;
  readonly presence: DesktopPresence;
  readonly shortcutSettingsStore: ShortcutSettingsStore;
  readonly signing: SigningService;
  /** Asks the user for confirmation in a dialog outside the window. */
  readonly confirm: Confirm;
  readonly unconfirmedVoteStore: UnconfirmedVoteStore;
  window(): BrowserWindow | undefined;
  zoom(step: ZoomStep): void;
  sendToWindow: MainWindow['send'];
}

/** Implements the methods of the window. */
export function createHandlers({
  desktop,
  presence,
  shortcutSettingsStore,
  signing,
  confirm,
  unconfirmedVoteStore,
  window,
  zoom,
  sendToWindow,
}: HandlersOptions): Handlers {
  const createApiOperations = ({
    client,
    displayedApprovals,
    displayedQuestions,
    cache,
  }: ServerSession): ApiOperations =>
    new ApiOperations({
      client,
      displayedApprovals,
      displayedQuestions,
      cache,
      confirm: (request) => showConfirmation(window(), request),
    });
  const createVotes = (session: ServerSession): Votes => {
    const account = getAccount(desktop);
    return new Votes({
      client: session.client,
      displayedApprovals: session.displayedApprovals,
      signer: signing.getSigner(session),
      unconfirmedVotes: account && { store: unconfirmedVoteStore.forAccount(account), account },
    });
  };
  return {
    ...createDraftHandlers(desktop),
    ...createPresenceHandlers(presence),
    ...createSigningHandlers(signing),
    ...createUnconfirmedVoteHandlers(desktop, unconfirmedVoteStore),
    ...createEvidenceHandlers({ desktop, window, sendToWindow }),
    getState: () => desktop.state,
    takeLink: () => desktop.takeLink(),
    addServer: ({ url, name }) => desktop.addServer(url, name),
    removeServer: async ({ serverId }) => {
      const server = desktop.state.servers.find((each) => each.serverId === serverId);
      if (server === undefined || !(await confirm(createForgetServerPrompt(server)))) return undefined;
      await desktop.removeServer(serverId);
      signing.forgetServer(serverId);
      presence.forgetServer(serverId);
      unconfirmedVoteStore.forgetServer(serverId);
      return undefined;
    },
    selectServer: ({ serverId }) => {
      desktop.selectServer(serverId);
      return undefined;
    },
    retry: async () => {
      await desktop.currentSession?.start();
      return undefined;
    },
    signIn: async () =>
      (await desktop.currentSession?.signIn()) ?? { ok: false, code: 'no_server', message: 'No server to sign in to.' },
    cancelSignIn: () => {
      desktop.currentSession?.cancelSignIn();
      return undefined;
    },
    useDevelopmentToken: async ({ token }) =>
      (await desktop.currentSession?.useDevelopmentToken(token)) ?? {
        ok: false,
        code: 'no_server',
        message: 'No server to sign in to.',
      },
    signOut: async () => {
      const { activeServerId } = desktop.state;
      if (activeServerId !== null) unconfirmedVoteStore.forgetServer(activeServerId);
      await desktop.currentSession?.signOut();
      return undefined;
    },
    call: ({ operation, input }) =>
      desktop.offlineOperations?.call(operation, input) ??
      desktop.runInSession((session) => createApiOperations(session).call(operation, input)),
    readArtifact: (artifact) => desktop.runInSession(({ client }) => readArtifact(client, artifact)),
    vote: (vote) =>
      desktop.runInSession((session) => dropDraftOnceSent(session, vote.approvalId, createVotes(session).vote(vote))),
    voteTogether: (votes) => desktop.runInSession((session) => createVotes(session).voteInBulk(votes)),
    comment: (comment) => desktop.runInSession((session) => commentOnApproval(session, comment)),
    answerQuestion: (answer) => desktop.runInSession((session) => answerQuestion(session, answer)),
    openLink: async ({ url }) => {
      const link = toExternalLink(url);
      if (link !== undefined) await shell.openExternal(link);
      return link !== undefined;
    },
    getKeys: () => shortcutSettingsStore.get(),
    setKeys: (settings) => {
      shortcutSettingsStore.set(settings);
      return undefined;
    },
    zoom: ({ step }) => {
      zoom(step);
      return undefined;
    },
  };
}

async function showConfirmation(window: BrowserWindow | undefined, request: ConfirmationRequest): Promise<boolean> {
  const options = {
    type: 'question' as const,
    ...request,
    buttons: ['Cancel', 'Let them decide'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  const { response } =
    window === undefined ? await dialog.showMessageBox(options) : await dialog.showMessageBox(window, options);
  return response === 1;
}

import type { Approval, ApprovalComment, BulkDecisionsResult, ChangeMessage, Question } from '@countersign/contract';
import type { OperationResult } from './operation-result.js';
import type { EventName, MethodName } from './channels.js';
import type { Draft } from './drafts.js';
import type { ShortcutSettings } from './shortcut-settings.js';
import type { MethodInput, Vote } from './methods.js';
import type { PresenceState } from './presence.js';
import type { SigningState } from './signing.js';
import type { DesktopState, Failure } from './state.js';

/** `ok: false`: the action failed, with the reason. */
export type ActionResult = { readonly ok: true } | ({ readonly ok: false } & Failure);

export type ArtifactContent =
  { readonly kind: 'too-large' } | { readonly kind: 'bytes'; readonly contentType: string; readonly bytes: Uint8Array };

/** Result of each method. */
export interface MethodResults extends Record<MethodName, unknown> {
  getState: DesktopState;
  /** The approval or question of the last opened link; `null` if there is none. Each link is returned only once. */
  takeLink: ItemLink | null;
  addServer: ActionResult;
  /** Removes a server and all its stored data, after confirmation in a dialog of the operating system. */
  removeServer: undefined;
  selectServer: undefined;
  retry: undefined;
  /** Resolves when the user has returned from the browser or has cancelled. */
  signIn: ActionResult;
  cancelSignIn: undefined;
  useDevelopmentToken: ActionResult;
  signOut: undefined;
  call: OperationResult<unknown>;
  readArtifact: OperationResult<ArtifactContent>;
  /** `saved: false`: the user chose no file. */
  saveArtifact: OperationResult<{ readonly saved: boolean }>;
  vote: OperationResult<Approval>;
  voteTogether: OperationResult<BulkDecisionsResult>;
  /** Unconfirmed votes. The same vote under the same key is sent again unchanged. */
  listUnconfirmed: UnconfirmedVoteRecords;
  dismissUnconfirmed: undefined;
  answerQuestion: OperationResult<Question>;
  comment: OperationResult<ApprovalComment>;
  /** Whether the link was opened: only `https:` is allowed. */
  openLink: boolean;
  getPresence: PresenceState;
  /** The resulting state; `shortcut` reports whether another application uses the keys. */
  setPreferences: PresenceState;
  setQuiet: undefined;
  /** Whether the approval was snoozed: only approvals that wait for this user can be. */
  snooze: boolean;
  wake: undefined;
  getKeys: ShortcutSettings;
  setKeys: undefined;
  zoom: undefined;
  /** State of vote signing, as far as it is known. */
  getSigning: SigningState;
  /** Asks the server about the key of this device; the event `signing` reports the result. */
  checkSigning: undefined;
  /** Creates a key on this device and registers it, after confirmation in a dialog of the operating system. */
  setUpSigning: ActionResult;
  /**
   * Enrols the key of this device: with the current sign-in if it is recent enough, otherwise with a new sign-in in the
   * browser. Resolves when the user has returned or has cancelled (`cancelSignIn`).
   */
  enrolSigningKey: ActionResult;
  /**
   * Enrols another key of the signed-in user with a signature of this device's key, after confirmation in a dialog of
   * the operating system.
   */
  countersignSigningKey: ActionResult;
  /** Revokes a key of the signed-in user, after confirmation in a dialog of the operating system. */
  revokeSigningKey: ActionResult;
  /** Sets whether votes are signed even if no signature is required. */
  setSignsEvery: ActionResult;
  /** Drafts of the signed-in user at the active server. */
  loadDrafts: readonly Draft[];
  saveDraft: undefined;
  dropDraft: undefined;
}

/** An unconfirmed vote as it was sent; its signature stays in the main process. */
export type UnconfirmedVoteRecord = Vote & { readonly title: string };

export interface UnconfirmedVoteRecords {
  readonly votes: readonly UnconfirmedVoteRecord[];
  /** Votes sent so long ago that the server no longer knows their key. Reported only once. */
  readonly tooOld: readonly UnconfirmedVoteRecord[];
}

/** The approval or question that a link opens. A link only displays it; it never votes or answers. */
export type ItemLink =
  | {
      readonly approvalId: string;
      /**
       * Text that the user typed as a reply to a notification, for the rejection form. Links from outside never contain
       * it.
       */
      readonly rejectWith?: string;
    }
  | { readonly questionId: string };

/** Progress of saving a file, in bytes. */
export interface SaveProgress {
  readonly transferId: string;
  readonly received: number;
  /** `null`: the server does not report it. */
  readonly total: number | null;
}

export interface EventPayloads extends Record<EventName, unknown> {
  state: DesktopState;
  change: ChangeMessage;
  link: ItemLink;
  saving: SaveProgress;
  presence: PresenceState;
  signing: SigningState;
}

type Method<M extends MethodName> =
  undefined extends MethodInput<M>
    ? () => Promise<MethodResults[M]>
    : (input: MethodInput<M>) => Promise<MethodResults[M]>;

/** `window.countersign`: the window's only access to the main process. */
export type CountersignBridge = { readonly [M in MethodName]: Method<M> } & {
  /** @returns a function that removes the listener */
  on<E extends EventName>(event: E, listener: (payload: EventPayloads[E]) => void): () => void;
};

import type { Approval, BulkDecisionsResult, ChangeMessage, Question } from '@countersign/contract';
import type { OperationResult } from './operation-result.js';
import type { EventName, MethodName } from './channels.js';
import type { Draft } from './drafts.js';
import type { KeySettings } from './key-settings.js';
import type { MethodInput, Vote } from './methods.js';
import type { PresenceState } from './presence.js';
import type { SigningState } from './signing.js';
import type { DesktopState, Failure } from './state.js';

/** `ok: false`: it was not done, and why. */
export type ActionResult = { readonly ok: true } | ({ readonly ok: false } & Failure);

export type ArtifactContent =
  { readonly kind: 'too-large' } | { readonly kind: 'bytes'; readonly contentType: string; readonly bytes: Uint8Array };

/** What each method gives. */
export interface MethodResults extends Record<MethodName, unknown> {
  getState: DesktopState;
  /** The approval that a link asked for; `null` where none waits. Taken once. */
  takeLink: ApprovalLink | null;
  addServer: ActionResult;
  /** Forgets a server and all that is kept of it, after a dialog of the operating system. */
  removeServer: undefined;
  selectServer: undefined;
  retry: undefined;
  /** Ends when the person is back from the browser, or gave up. */
  signIn: ActionResult;
  cancelSignIn: undefined;
  useDevelopmentToken: ActionResult;
  signOut: undefined;
  call: OperationResult<unknown>;
  readArtifact: OperationResult<ArtifactContent>;
  /** `saved: false`: the person chose no place. */
  saveArtifact: OperationResult<{ readonly saved: boolean }>;
  vote: OperationResult<Approval>;
  voteTogether: OperationResult<BulkDecisionsResult>;
  /** What was sent, and not answered. A vote that is the same under the same key goes out as it did before. */
  listUnsettled: JournaledVotes;
  dismissUnsettled: undefined;
  answerQuestion: OperationResult<Question>;
  /** Whether it was opened: only `https:` is. */
  openLink: boolean;
  getPresence: PresenceState;
  /** As it is then; `shortcut` says whether another application has the keys. */
  setPreferences: PresenceState;
  setQuiet: undefined;
  /** Whether it was put off: only what waits for this person is. */
  snooze: boolean;
  wake: undefined;
  getKeys: KeySettings;
  setKeys: undefined;
  zoom: undefined;
  /** How the signing of votes stands, as far as it is known. */
  getSigning: SigningState;
  /** Asks the server about the key of this device; what comes of it is told by `signing`. */
  checkSigning: undefined;
  /** Makes a key on this device and registers it, after a dialog of the operating system. */
  setUpSigning: ActionResult;
  /** Enrols the key of this device by signing in again in the browser; ends when the person is back, or gave up (`cancelSignIn`). */
  enrolSigningKey: ActionResult;
  /** Enrols another key of the signed-in user by the signature of this device's, after a dialog of the operating system. */
  countersignSigningKey: ActionResult;
  /** Revokes a key of the signed-in user, after such a dialog. */
  revokeSigningKey: ActionResult;
  /** Whether votes are signed that don't have to be. */
  setSignsEvery: ActionResult;
  /** What the signed-in user has begun to write at the server that is shown. */
  loadDrafts: readonly Draft[];
  saveDraft: undefined;
  dropDraft: undefined;
}

/** A vote without an answer, as it was sent; its signature stays where it is. */
export type JournaledVote = Vote & { readonly title: string };

export interface JournaledVotes {
  readonly votes: readonly JournaledVote[];
  /** Sent so long ago that the server does not know the key any more. Told of once. */
  readonly tooOld: readonly JournaledVote[];
}

/** What to show. A link opens; it never acts. */
export interface ApprovalLink {
  readonly approvalId: string;
  /** What the person wrote into a notification, to stand in the form of rejecting it. No link from outside has it. */
  readonly rejectWith?: string;
}

/** How far the saving of a file is, in bytes. */
export interface SavingProgress {
  readonly transferId: string;
  readonly received: number;
  /** `null`: the server does not say. */
  readonly total: number | null;
}

export interface EventPayloads extends Record<EventName, unknown> {
  state: DesktopState;
  change: ChangeMessage;
  link: ApprovalLink;
  saving: SavingProgress;
  presence: PresenceState;
  signing: SigningState;
}

type Method<M extends MethodName> =
  undefined extends MethodInput<M>
    ? () => Promise<MethodResults[M]>
    : (input: MethodInput<M>) => Promise<MethodResults[M]>;

/** `window.countersign`: all that the window has of the main process. */
export type CountersignBridge = { readonly [M in MethodName]: Method<M> } & {
  /** @returns what stops listening */
  on<E extends EventName>(event: E, listener: (payload: EventPayloads[E]) => void): () => void;
};

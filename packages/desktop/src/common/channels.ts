/** Methods available to the window, one channel each. Nothing else in the main process is reachable from the window. */
export const METHODS = Object.freeze([
  'getState',
  'takeLink',
  'addServer',
  'removeServer',
  'selectServer',
  'retry',
  'signIn',
  'cancelSignIn',
  'useDevelopmentToken',
  'signOut',
  'call',
  'readArtifact',
  'saveArtifact',
  'vote',
  'voteTogether',
  'listUnconfirmed',
  'dismissUnconfirmed',
  'answerQuestion',
  'comment',
  'openLink',
  'getPresence',
  'setPreferences',
  'setQuiet',
  'snooze',
  'wake',
  'getKeys',
  'setKeys',
  'zoom',
  'getSigning',
  'checkSigning',
  'setUpSigning',
  'enrolSigningKey',
  'countersignSigningKey',
  'revokeSigningKey',
  'setSignsEvery',
  'loadDrafts',
  'saveDraft',
  'dropDraft',
] as const);

/** Events that the main process sends to the window. */
export const EVENTS = Object.freeze(['state', 'change', 'link', 'saving', 'presence', 'signing'] as const);

export type MethodName = (typeof METHODS)[number];
export type EventName = (typeof EVENTS)[number];

export function getMethodChannel(name: MethodName): string {
  return `countersign:method:${name}`;
}

export function getEventChannel(name: EventName): string {
  return `countersign:event:${name}`;
}

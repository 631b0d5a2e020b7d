import type { ServerProfile } from '../../common/state.js';
import type { Question } from '../signing/ask.js';
import { serverWords } from '../signing/key-questions.js';

/** The plan of forgetting a server, which can't be taken back: a window that something else has taken over can't do it by itself. */
export function forgetQuestion(server: ServerProfile): Question {
  return {
    title: 'Servers',
    message: 'Forget this server?',
    detail: [
      'You are signed out there, and lose on this device:',
      '• the signing key, if there is one. Its votes still count, and it stays registered at the server until it is revoked there.',
      '• what can be read while the server does not answer',
      '• what you have begun to write',
      '• what you have snoozed',
      '',
      'Nothing changes on the server.',
      '',
      `Server: ${serverWords(server)}`,
    ].join('\n'),
    confirm: 'Forget the server',
  };
}

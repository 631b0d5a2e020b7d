import type { ServerProfile } from '../../common/state.js';
import type { ConfirmationPrompt } from '../signing/confirm.js';
import { serverWords } from '../signing/key-prompts.js';

/** The plan of forgetting a server, which can't be taken back: a window that something else has taken over can't do it by itself. */
export function forgetServerPrompt(server: ServerProfile): ConfirmationPrompt {
  return {
    title: 'Servers',
    message: 'Forget this server?',
    detail: [
      'You will be signed out, and this device will lose:',
      '• the signing key, if there is one. Its votes still count, and it stays registered at the server until it is revoked there.',
      '• what you can read offline',
      '• your drafts',
      '• your snoozed approvals',
      '',
      'Nothing changes on the server.',
      '',
      `Server: ${serverWords(server)}`,
    ].join('\n'),
    confirm: 'Forget the server',
  };
}

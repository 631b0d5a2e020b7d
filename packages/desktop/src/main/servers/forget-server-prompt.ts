import type { ServerProfile } from '../../common/state.js';
import type { ConfirmationPrompt } from '../signing/confirm.js';
import { formatServer } from '../signing/key-prompts.js';

/**
 * Returns the prompt for removing a server, which cannot be undone: a compromised window cannot do it without the user.
 */
export function forgetServerPrompt(server: ServerProfile): ConfirmationPrompt {
  return {
    title: 'Servers',
    message: 'Forget this server?',
    detail: [
      'You will be signed out, and this device will lose:',
      '• the signing key, if any. Votes signed with it still count, and the key stays registered on the server until you revoke it there.',
      '• what you can read offline',
      '• your drafts',
      '• your snoozed approvals',
      '',
      'Nothing changes on the server.',
      '',
      `Server: ${formatServer(server)}`,
    ].join('\n'),
    confirm: 'Forget the server',
  };
}

import type { ServerProfile } from '../../common/state.js';
import type { ConfirmationPrompt } from '../signing/confirm.js';
import { formatServer } from '../signing/key-prompts.js';

/**
 * Returns the prompt for removing a server, which cannot be undone. The user confirms it outside the window, because
 * the window may be compromised.
 */
export function createForgetServerPrompt(server: ServerProfile): ConfirmationPrompt {
  return {
    title: 'Servers',
    message: 'Forget this server?',
    detail: [
      'You will be signed out, and this device will lose:',
      '• the signing key, if any. Votes signed with it still count, and the key stays registered on the server until you revoke it there.',
      '• the data that you can read offline',
      '• your drafts',
      '• your snoozed approvals',
      '',
      'Nothing changes on the server.',
      '',
      `Server: ${formatServer(server)}`,
    ].join('\n'),
    confirmLabel: 'Forget the server',
  };
}

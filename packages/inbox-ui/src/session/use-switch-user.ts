import type { DevelopmentUser } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { leaveSession } from '../approvals/leave-session.js';
import { texts } from '../texts/index.js';
import { toUserMessage } from '../ui/to-user-message.js';
import { useSession } from './session.js';

/**
 * Returns a function that continues as another user of a development server. The user is asked first if pending votes
 * would be lost.
 */
export function useSwitchUser(): (user: DevelopmentUser, onSwitched?: () => void) => void {
  const { development } = useSession();
  return (user, onSwitched) => {
    development?.prepareSwitch(user).then(
      (signIn) => {
        if (signIn === undefined) return;
        leaveSession(() => {
          signIn();
          onSwitched?.();
        });
      },
      (error: unknown) =>
        notifications.show({ color: 'red', title: texts.session.switchFailed, message: toUserMessage(error) }),
    );
  };
}

import { Button } from '@mantine/core';
import type { DevelopmentUser } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { getUserName } from './describe-user.js';
import { useSwitchUser } from './use-switch-user.js';

interface ContinueAsButtonProps {
  readonly user: DevelopmentUser;
  /** Called when the user has been changed. */
  onSwitched?(): void;
}

/** Button that continues as another user of a development server. */
export function ContinueAsButton({ user, onSwitched }: ContinueAsButtonProps) {
  const switchUser = useSwitchUser();
  return (
    <Button size="xs" onClick={() => switchUser(user, onSwitched)}>
      {texts.session.continueAs(getUserName(user))}
    </Button>
  );
}

import { describeUser, getUserName } from '@countersign/inbox-ui/session/describe-user';
import { parseNames } from './parse-names.js';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Alert, Button, Divider, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { DevelopmentUser, Role } from '@countersign/contract';
import { useState, type FormEvent } from 'react';
import { texts } from '../texts/index.js';
import { requestDevSignIn, storeDevSignIn } from './dev-token-source.js';
import type { SignInFormProps } from './sign-in-form.js';
import './development-sign-in.css';

/** Signs in as one of the users of a development server, or as anyone else. */
export function DevelopmentSignIn({ config, onSignedIn }: Omit<SignInFormProps, 'keepsPageOpen'>) {
  const [error, setError] = useState<unknown>();
  const [isSigningIn, setIsSigningIn] = useState(false);
  const { enabled, users } = config.devToken;
  if (!enabled) return <Alert color="red">{texts.session.notConfigured}</Alert>;
  const signIn = (user: DevelopmentUser): void => {
    if (isSigningIn) return;
    setIsSigningIn(true);
    setError(undefined);
    requestDevSignIn(user)
      .then((result) => {
        storeDevSignIn(result);
        onSignedIn();
      })
      .catch(setError)
      .finally(() => setIsSigningIn(false));
  };
  return (
    <Stack>
      <Text c="dimmed">{texts.session.development}</Text>
      {error !== undefined && <ProblemNotice error={error} />}
      {users.length > 0 && (
        <>
          <ul className="cs-development-users" aria-label={texts.session.users}>
            {users.map((user) => (
              <li key={user.subject}>
                <Button variant="default" fullWidth onClick={() => signIn(user)}>
                  {getUserName(user)}
                  <Text span size="sm" c="dimmed" truncate ml="sm">
                    {describeUser(user)}
                  </Text>
                </Button>
              </li>
            ))}
          </ul>
          <Divider label={texts.session.otherUser} />
        </>
      )}
      <OtherUserForm roles={config.roles} isBusy={isSigningIn} onSubmit={signIn} />
    </Stack>
  );
}

interface OtherUserFormProps {
  readonly roles: readonly Role[];
  readonly isBusy: boolean;
  onSubmit(user: DevelopmentUser): void;
}

function OtherUserForm({ roles, isBusy, onSubmit }: OtherUserFormProps) {
  const isNarrow = useMediaQuery('(max-width: 28em)') ?? false;
  const [role, setRole] = useState<Role>('approver');
  const [name, setName] = useState('');
  const [groups, setGroups] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit({ subject: name.trim() === '' ? role : name.trim(), name: null, role, groups: parseNames(groups) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <SegmentedControl
          aria-label={texts.session.role}
          fullWidth
          orientation={isNarrow ? 'vertical' : 'horizontal'}
          value={role}
          onChange={(value) => setRole(value as Role)}
          data={roles.map((each) => ({ value: each, label: texts.roles[each] }))}
        />
        <TextInput
          label={texts.session.name}
          description={texts.session.nameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="username"
        />
        <TextInput
          label={texts.session.groups}
          description={texts.session.groupsHint}
          value={groups}
          onChange={(event) => setGroups(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy}>
          {texts.session.signIn}
        </Button>
      </Stack>
    </form>
  );
}

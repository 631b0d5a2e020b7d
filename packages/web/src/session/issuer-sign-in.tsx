import { Alert, Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { texts } from '../texts/index.js';
import { createUserManager } from './create-user-manager.js';
import { getIssuerName } from './issuer-name.js';
import { explainSignInError, signInInPopup, startSignIn } from './sign-in.js';
import type { SignInFormProps } from './sign-in-form.js';

/** Signs in at the issuer, on its page or in a popup. */
export function IssuerSignIn({ config, keepsPageOpen, onSignedIn }: SignInFormProps) {
  const [failure, setFailure] = useState<string>();
  const [isSigningIn, setIsSigningIn] = useState(false);
  const controllerRef = useRef<AbortController>(undefined);
  useEffect(() => () => controllerRef.current?.abort(), []);
  if (config.clientId === null) return <Alert color="red">{texts.session.noClient}</Alert>;
  const signIn = async (): Promise<void> => {
    controllerRef.current?.abort();
    const controller = new AbortController();
    controllerRef.current = controller;
    setIsSigningIn(true);
    setFailure(undefined);
    try {
      const manager = createUserManager(config);
      if (!keepsPageOpen || !(await signInInPopup(manager, controller.signal))) await startSignIn(manager);
      else onSignedIn();
    } catch (error) {
      if (!controller.signal.aborted) setFailure(explainSignInError(error));
    }
    if (!controller.signal.aborted) setIsSigningIn(false);
  };
  return (
    <Stack>
      <Text>{texts.session.byIssuer(getIssuerName(config.issuer))}</Text>
      {keepsPageOpen && <Text c="dimmed">{texts.session.separateWindowHint}</Text>}
      {failure !== undefined && (
        <Alert color="red" role="alert" title={texts.session.failures.title}>
          {failure}
        </Alert>
      )}
      {/* The popup may have been closed: the user can always open it again. */}
      <Button onClick={() => void signIn()} loading={isSigningIn && !keepsPageOpen} data-autofocus>
        {texts.session.signIn}
      </Button>
    </Stack>
  );
}

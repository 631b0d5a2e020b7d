import { BASE_URL } from '@countersign/inbox-ui/app/base-url';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { useTitle } from '@countersign/inbox-ui/ui/use-title';
import { Alert, Button, Center, Stack, Title } from '@mantine/core';
import { SessionContext } from '@countersign/inbox-ui/session/session';
import { createClient } from '@countersign/contract';
import { useContext, useEffect, useState } from 'react';
import { texts } from '../texts/index.js';
import { createUserManager } from './create-user-manager.js';
import { completeSignIn, explainSignInError } from './sign-in.js';

/** Page to which the issuer redirects the browser after a sign-in. */
export function SignInCallbackPage() {
  const [failure, setFailure] = useState<string>();
  const [isHandedOver, setIsHandedOver] = useState(false);
  const isSignedIn = useContext(SessionContext) !== undefined;
  useTitle(failure === undefined ? texts.session.signIn : texts.session.failures.title);
  useEffect(() => {
    completion ??= completeSignInOnPage(isSignedIn);
    completion.then(
      (address) => {
        // Keeps the address with the code out of the history.
        if (address !== undefined) window.location.replace(address);
        else {
          setIsHandedOver(true);
          window.close();
        }
      },
      (error: unknown) => {
        window.history.replaceState(null, '', `${BASE_URL}/sign-in/callback`);
        setFailure(explainSignInError(error));
      },
    );
  }, [isSignedIn]);
  if (failure === undefined && !isHandedOver) return <Loading />;
  return (
    <Center component="main" mih="100%" p="md">
      <Stack maw={480}>
        {failure === undefined ? (
          <>
            <Title order={1} size="h2" role="status">
              {texts.session.handedOver}
            </Title>
            <Button variant="default" onClick={() => window.close()}>
              {texts.session.closeWindow}
            </Button>
          </>
        ) : (
          <>
            <Title order={1} size="h2">
              {texts.session.failures.title}
            </Title>
            <Alert color="red" role="alert">
              {failure}
            </Alert>
            <Button onClick={() => window.location.replace(`${BASE_URL}/`)}>{texts.session.failures.again}</Button>
          </>
        )}
      </Stack>
    </Center>
  );
}

/** Result of the sign-in, shared by all renders of the page because the code can be redeemed only once. */
let completion: Promise<string | undefined> | undefined;

async function completeSignInOnPage(isSignedIn: boolean): Promise<string | undefined> {
  return completeSignIn(createUserManager(await createClient({ baseUrl: BASE_URL }).getAuthConfig()), isSignedIn);
}

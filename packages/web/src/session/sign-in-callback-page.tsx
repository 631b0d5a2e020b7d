import { BASE_URL } from '@countersign/inbox-ui/app/base-url';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { useTitle } from '@countersign/inbox-ui/ui/use-title';
import { Alert, Button, Center, Stack, Title } from '@mantine/core';
import { SessionContext } from '@countersign/inbox-ui/session/session';
import { createClient } from '@countersign/contract';
import { useContext, useEffect, useState } from 'react';
import { texts } from '../texts/index.js';
import { createOidc } from './oidc.js';
import { completeSignIn, explainSignIn } from './sign-in.js';

/** Page to which the issuer sends the browser back. */
export function SignInCallbackPage() {
  const [failure, setFailure] = useState<string>();
  const [isHandedOver, setIsHandedOver] = useState(false);
  const isSignedIn = useContext(SessionContext) !== undefined;
  useTitle(failure === undefined ? texts.session.signIn : texts.session.failures.title);
  useEffect(() => {
    completion ??= complete(isSignedIn);
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
        setFailure(explainSignIn(error));
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

/** Redeems a code once, however often the page renders. */
let completion: Promise<string | undefined> | undefined;

async function complete(isSignedIn: boolean): Promise<string | undefined> {
  return completeSignIn(createOidc(await createClient({ baseUrl: BASE_URL }).getAuthConfig()), isSignedIn);
}

import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { parseUrl } from '@countersign/contract';
import { useState, type FormEvent } from 'react';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import type { Failure, SessionState, SignInOffer } from '../../common/state.js';

/** Sign-in form for the method that the server offers: sign-in at its issuer in the browser, or a development token. */
export function SignInForm({ session }: { readonly session: SessionState }) {
  if (session.kind === 'signing-in') {
    return (
      <Stack>
        <Text fw={600} role="status">
          {texts.inBrowser}
        </Text>
        <Text>{texts.inBrowserHint}</Text>
        <Button variant="default" onClick={() => void bridge.cancelSignIn()}>
          {texts.giveUp}
        </Button>
      </Stack>
    );
  }
  if (session.kind !== 'signed-out') return null;
  const { offer, reason, failure } = session;
  return (
    <Stack>
      {reason === 'ended' && <Alert color="yellow">{texts.ended}</Alert>}
      {failure !== null && <SignInFailure failure={failure} />}
      {offer.mode === 'oidc' ? (
        <IssuerSignIn offer={offer} />
      ) : offer.developmentToken ? (
        <TokenSignIn />
      ) : (
        <SignInUnavailable message={texts.signInUnsupported} />
      )}
    </Stack>
  );
}

function IssuerSignIn({ offer: { issuer, clientId } }: { readonly offer: SignInOffer }) {
  if (clientId === null) return <SignInUnavailable message={texts.noClient} />;
  return (
    <>
      <Text>{texts.byIssuer(getIssuerHost(issuer))}</Text>
      <Button onClick={() => void bridge.signIn()} data-autofocus autoFocus>
        {texts.signIn}
      </Button>
    </>
  );
}

/** Shows why the user cannot sign in on this server, with a button that reads its configuration again. */
function SignInUnavailable({ message }: { readonly message: string }) {
  return (
    <>
      <Alert color="red">{message}</Alert>
      <Button variant="default" onClick={() => void bridge.retry()}>
        {texts.checkAgain}
      </Button>
    </>
  );
}

function TokenSignIn() {
  const [token, setToken] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setIsBusy(true);
    setFailure(undefined);
    const result = await bridge
      .useDevelopmentToken({ token })
      .catch((): { ok: false } & Failure => ({ ok: false, code: 'malformed', message: texts.notAToken }));
    setIsBusy(false);
    setToken('');
    if (!result.ok) setFailure(result);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <PasswordInput
          label={texts.token}
          description={texts.tokenHint}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          autoComplete="off"
          required
          data-autofocus
          autoFocus
        />
        {failure !== undefined && <SignInFailure failure={failure} />}
        <Button type="submit" loading={isBusy}>
          {texts.useToken}
        </Button>
      </Stack>
    </form>
  );
}

function SignInFailure({ failure }: { readonly failure: Failure }) {
  return (
    <Alert color="red" role="alert" title={texts.failed}>
      {failure.message}
    </Alert>
  );
}

/** Returns the host name of an issuer. An invalid address is displayed unchanged, so that the mistake is visible. */
function getIssuerHost(issuer: string | null): string {
  const text = issuer ?? '';
  return parseUrl(text)?.host ?? text;
}

import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import type { Failure, SessionState, SignInOffer } from '../../common/state.js';

/** Sign-in form for the method that the server offers: its issuer, in the browser, or a development token. */
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
      {failure !== null && <Refused failure={failure} />}
      {offer.mode === 'oidc' ? (
        <ByIssuer offer={offer} />
      ) : offer.developmentToken ? (
        <ByToken />
      ) : (
        <Alert color="red">{texts.noWayIn}</Alert>
      )}
    </Stack>
  );
}

function ByIssuer({ offer: { issuer, clientId } }: { readonly offer: SignInOffer }) {
  if (clientId === null) return <Alert color="red">{texts.noClient}</Alert>;
  return (
    <>
      <Text>{texts.byIssuer(hostOf(issuer))}</Text>
      <Button onClick={() => void bridge.signIn()} data-autofocus autoFocus>
        {texts.signIn}
      </Button>
    </>
  );
}

function ByToken() {
  const [token, setToken] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const [going, setGoing] = useState(false);
  const go = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setGoing(true);
    setFailure(undefined);
    const done = await bridge
      .useDevelopmentToken({ token })
      .catch((): { ok: false } & Failure => ({ ok: false, code: 'malformed', message: texts.notAToken }));
    setGoing(false);
    setToken('');
    if (!done.ok) setFailure(done);
  };
  return (
    <form onSubmit={(event) => void go(event)}>
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
        {failure !== undefined && <Refused failure={failure} />}
        <Button type="submit" loading={going}>
          {texts.useToken}
        </Button>
      </Stack>
    </form>
  );
}

function Refused({ failure }: { readonly failure: Failure }) {
  return (
    <Alert color="red" role="alert" title={texts.failed}>
      {failure.message}
    </Alert>
  );
}

/** Returns the host name of an issuer. An invalid address is displayed unchanged, so that the mistake is visible. */
function hostOf(issuer: string | null): string {
  const text = issuer ?? '';
  return (URL.canParse?.(text) ?? text.includes('://')) ? new URL(text).host : text;
}

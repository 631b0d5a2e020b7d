import { useTitle } from '@countersign/inbox-ui/ui/use-title';
import { Alert, Card, Center, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import type { AuthConfig } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { SignInForm } from './sign-in-form.js';

interface SignInPageProps {
  readonly config: AuthConfig;
  /** Whether the session of the user has expired. */
  readonly expired: boolean;
  onSignedIn(): void;
}

/** Replaces the whole page for users who are not signed in. */
export function SignInPage({ config, expired, onSignedIn }: SignInPageProps) {
  useTitle(texts.session.signIn);
  return (
    <Center component="main" mih="100%" p="md">
      <Card withBorder shadow="sm" p="xl" w={420} maw="100%">
        <Stack>
          <Group gap="xs" wrap="nowrap">
            <IconShieldCheck size={28} color="var(--mantine-primary-color-filled)" aria-hidden />
            <Title order={1} size="h2">
              {texts.session.title}
            </Title>
          </Group>
          {expired && <Alert color="yellow">{texts.session.expired}</Alert>}
          <SignInForm config={config} keepsPageOpen={false} onSignedIn={onSignedIn} />
        </Stack>
      </Card>
    </Center>
  );
}

/** Covers the page when a session expires during work, so that typed text is kept. */
export function SignInAgainDialog({ config, onSignedIn }: Omit<SignInPageProps, 'expired'>) {
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={texts.session.endedTitle}
      zIndex={1_000}
      centered
    >
      <Stack>
        <Text>{texts.session.endedHint}</Text>
        <SignInForm config={config} keepsPageOpen onSignedIn={onSignedIn} />
      </Stack>
    </Modal>
  );
}

import { useTitle } from '@countersign/inbox-ui/ui/use-title';
import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { texts } from '../texts/index.js';

/** Page for users who are signed in but have no role. */
export function NoRolePage({ onSignOut }: { onSignOut(): void }) {
  useTitle(texts.session.noRoleTitle);
  return (
    <Center component="main" mih="100%" p="md">
      <Stack maw={440}>
        <Title order={1} size="h2">
          {texts.session.noRoleTitle}
        </Title>
        <Text>{texts.session.noRole}</Text>
        <Button variant="default" onClick={onSignOut}>
          {texts.app.signOut}
        </Button>
      </Stack>
    </Center>
  );
}

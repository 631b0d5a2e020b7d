import { DiscussionPart } from '@countersign/inbox-ui/comments/discussion-part';
import { countComments, DiscussionProvider } from '@countersign/inbox-ui/comments/discussion';
import { useDiscussion } from '@countersign/inbox-ui/comments/use-discussion';
import { useInView } from '@countersign/inbox-ui/ui/use-in-view';
import { Title } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { texts } from '../../texts/index.js';

interface ApprovalDiscussionProps {
  readonly approval: Approval;
  readonly earlierRounds: readonly Approval[];
}

/** Shows the comments on an approval, for the requester to read and answer. */
export function ApprovalDiscussion({ approval, earlierRounds }: ApprovalDiscussionProps) {
  const { discussion } = useDiscussion({ approval, earlierRounds, successor: undefined, isOffline: false });
  const element = useInView<HTMLDivElement>(() => discussion.markSeen(), discussion.state === 'loaded');
  const count = countComments(discussion.threads);
  const t = texts.comments;
  const title = count === 0 ? t.part : t.partWith(count);
  return (
    <DiscussionProvider value={discussion}>
      {/* Not a landmark: a run can have many of them. */}
      <div role="group" aria-label={title} ref={element}>
        <Title order={3} size="h6" mb={6}>
          {title}
        </Title>
        <DiscussionPart />
      </div>
    </DiscussionProvider>
  );
}

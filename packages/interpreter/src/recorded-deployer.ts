/**
 * Returns the deployer of the version that is now in use as a field for the private part of an event, because the id is
 * personal data.
 */
export function toRecordedDeployer({ deployedBy }: { readonly deployedBy?: string }): { deployedBy?: string } {
  return deployedBy === undefined ? {} : { deployedBy };
}

/** Returns the deployer of the version in use from now on, for the private part of an event, because it is a person. */
export function toRecordedDeployer({ deployedBy }: { readonly deployedBy?: string }): { deployedBy?: string } {
  return deployedBy === undefined ? {} : { deployedBy };
}

/** Something that these scripts need and that cannot be had: the message is the whole story, no stack wanted. */
export class SetupFailure extends Error {
  name = 'SetupFailure';
}

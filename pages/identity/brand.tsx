/** The logo and the name of the product, as a link to the start page. */
export function Brand() {
  return (
    <a className="bar-brand" href="/">
      <img src="/favicon.svg" alt="" width="22" height="22" />
      Scenarium
    </a>
  );
}

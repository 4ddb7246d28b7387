/** A secret shown only once, to copy. */
export const Once = ({ says, secret, close }: { says: string; secret: string; close: () => void }) => (
  <div className="once" role="status">
    <p>
      <strong>{says}</strong>
    </p>
    <p className="row">
      <code>{secret}</code>
      <button type="button" onClick={() => navigator.clipboard.writeText(secret)}>
        Copy
      </button>
      <button type="button" onClick={close}>
        I have it
      </button>
    </p>
  </div>
)

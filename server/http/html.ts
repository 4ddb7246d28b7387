/** Text as the value of an HTML attribute in double quotes. */
export const escapedAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

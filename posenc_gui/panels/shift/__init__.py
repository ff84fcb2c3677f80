"""The shift of rows by k positions as a linear map."""
